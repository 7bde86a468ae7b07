/// How the report looks.
enum ReportStyle {
    /// The style sheet. Colours are named once for light and once for dark; the charts use the same names.
    static let css = """
        \(common)
        :root { \(accents(\.onLight)) }
        @media (prefers-color-scheme: dark) { :root { \(accents(\.onDark)) } }
        \(FeedMode.allCases.map(rules).joined(separator: "\n"))
        """

    private static func accents(_ color: (FeedMode.Accent) -> String) -> String {
        FeedMode.allCases.map { "--\($0.name): \(color($0.accent));" }.joined(separator: " ")
    }

    private static func rules(_ mode: FeedMode) -> String {
        let color = "var(--\(mode.name))"
        return ".card.\(mode.name) { --accent: \(color); } .chart .\(mode.name) { fill: \(color); }"
    }

    private static let common = """
        :root {
          color-scheme: light dark;
          --page: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1b1f27; --quiet: #5c6675;
          --missed: #d1263c; --speed: #c9d0da; --track: #eceff3;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #111419; --card: #1a1f27; --line: #303844; --text: #e8ebf0; --quiet: #9aa5b4;
            --missed: #ff5d6c; --speed: #3a4452; --track: #242b35;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--text);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", Arial, sans-serif; }
        main { max-width: 1040px; margin: 0 auto; padding: 28px 18px 56px; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 6px; }
        h2 { font-size: 1.25rem; margin: 36px 0 6px; } h3 { font-size: 1.02rem; margin: 26px 0 8px; }
        p { margin: 0 0 10px; } .quiet { color: var(--quiet); font-size: .9rem; }
        .warning { border-left: 4px solid var(--missed); padding-left: 10px; }
        .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 14px;
          margin-top: 14px; }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px;
          border-top: 4px solid var(--accent); }
        .card h3 { margin: 0; font-size: .95rem; font-weight: 600; }
        .card .big { font-size: 2.1rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
        .card .big small { display: block; margin-bottom: 4px; font-size: .95rem; font-weight: 400;
          color: var(--quiet); }
        .card p { margin: 2px 0 0; font-size: .9rem; color: var(--quiet); }
        .cards.pairs { grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); }
        .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; margin-top: 8px; }
        .pair h4 { margin: 0; font-size: .85rem; font-weight: 600; color: var(--quiet); }
        .panel + h4 { margin-top: 16px; } h4 { margin: 0 0 6px; font-size: .95rem; font-weight: 600; }
        .pair .big { font-size: 1.7rem; } .pair .big small { font-size: .85rem; }
        .panel { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px;
          overflow-x: auto; }
        .panel + p { margin-top: 8px; }
        .chart { display: block; width: 100%; min-width: 680px; height: auto; }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 10px; padding: 0; list-style: none;
          font-size: .85rem; color: var(--quiet); }
        .legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px;
          vertical-align: -1px; }
        .legend i.rule { width: 22px; height: 0; border-radius: 0; border-top: 2px dashed var(--text); vertical-align: 4px; }
        .chart text { font-size: 13px; fill: var(--quiet); }
        .chart .lane-name { font-size: 15px; font-weight: 600; fill: var(--text); }
        .chart .lane-note, .chart .tick { text-anchor: end; } .chart .tick { font-size: 12px; }
        .chart .time { text-anchor: middle; }
        .chart .grid { stroke: var(--line); stroke-width: 1; }
        .chart .budget { stroke: var(--text); stroke-width: 1.25; stroke-dasharray: 6 4; }
        .chart .missed { fill: var(--missed); } .chart .speed { fill: var(--speed); }
        .chart .track { fill: var(--track); } .chart g:hover { opacity: .6; }
        .chart .mark { stroke: var(--quiet); stroke-dasharray: 2 3; } .chart .mark-note { text-anchor: middle; }
        table { border-collapse: collapse; width: 100%; font-size: .92rem; }
        th, td { padding: 7px 10px; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
        td { font-variant-numeric: tabular-nums; white-space: nowrap; }
        th:first-child { text-align: left; font-weight: 600; } tbody tr:last-child > * { border-bottom: 0; }
        th span { display: block; font-weight: 400; font-size: .82rem; color: var(--quiet); max-width: 46ch; }
        th.renderer { text-align: left; font-weight: 400; color: var(--quiet); }
        tr.joined > :not([rowspan]), tr.joined:nth-last-child(2) > * { border-bottom: 0; }
        tr.joined + tr > * { padding-top: 0; }
        .shots { display: flex; flex-wrap: wrap; gap: 20px; justify-content: center; }
        .shots figure { margin: 0; width: 390px; max-width: 100%; }
        .shots figcaption { margin: 0 0 6px; text-align: center; font-size: .9rem; color: var(--quiet); }
        .shot { display: block; width: 100%; max-width: 390px; height: auto; margin: 0 auto; border-radius: 18px;
          border: 1px solid var(--line); }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font-size: .88rem; }
        @media (max-width: 560px) {
          main { padding: 18px 10px 40px; } th, td { padding: 6px 5px; } table { font-size: .84rem; }
        }
        """
}
