/// How the report looks.
enum ReportStyle {
    /// The style sheet. Colours are named once for light and once for dark; the chart uses the same names.
    static let css = """
        :root {
          color-scheme: light dark;
          --page: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1b1f27; --quiet: #5c6675;
          --baseline: #7c8798; --synchronous: #c2701c; --layered: #1f6fc0; --missed: #d1263c; --speed: #c9d0da;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #111419; --card: #1a1f27; --line: #303844; --text: #e8ebf0; --quiet: #9aa5b4;
            --baseline: #8d99aa; --synchronous: #e39a4a; --layered: #5aa5f0; --missed: #ff5d6c; --speed: #3a4452;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--text);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", Arial, sans-serif; }
        main { max-width: 1040px; margin: 0 auto; padding: 28px 18px 56px; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 6px; }
        h2 { font-size: 1.15rem; margin: 36px 0 10px; }
        p { margin: 0 0 10px; } .quiet { color: var(--quiet); font-size: .9rem; }
        .warning { border-left: 4px solid var(--missed); padding-left: 10px; }
        .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 14px;
          margin-top: 22px; }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px;
          border-top: 4px solid var(--accent); }
        .card.baseline { --accent: var(--baseline); } .card.synchronous { --accent: var(--synchronous); }
        .card.layered { --accent: var(--layered); }
        .card h3 { margin: 0; font-size: .95rem; font-weight: 600; }
        .card .big { font-size: 2.1rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
        .card .big small { font-size: .95rem; font-weight: 400; color: var(--quiet); }
        .card p { margin: 2px 0 0; font-size: .9rem; color: var(--quiet); }
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
        .chart .baseline { fill: var(--baseline); } .chart .synchronous { fill: var(--synchronous); }
        .chart .layered { fill: var(--layered); } .chart .missed { fill: var(--missed); }
        .chart .speed { fill: var(--speed); } .chart g:hover { opacity: .6; }
        table { border-collapse: collapse; width: 100%; font-size: .92rem; }
        th, td { padding: 7px 10px; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
        td { font-variant-numeric: tabular-nums; white-space: nowrap; }
        th:first-child { text-align: left; font-weight: 600; } tbody tr:last-child > * { border-bottom: 0; }
        th span { display: block; font-weight: 400; font-size: .82rem; color: var(--quiet); max-width: 46ch; }
        .shot { display: block; width: 100%; max-width: 390px; height: auto; margin: 0 auto; border-radius: 18px;
          border: 1px solid var(--line); }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font-size: .88rem; }
        @media (max-width: 560px) {
          main { padding: 18px 10px 40px; } th, td { padding: 6px 5px; } table { font-size: .84rem; }
        }
        """
}
