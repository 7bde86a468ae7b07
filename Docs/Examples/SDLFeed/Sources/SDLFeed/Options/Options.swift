/// How the feed is drawn.
enum FeedMode: String, CaseIterable, Sendable {
    /// Through async layers: off the main thread, ahead of time.
    case layers
    /// On the main thread, when a cell comes into view.
    case synchronous
}

/// What the command line asks for.
struct Options: Equatable, Sendable {
    /// The folder with the pictures; nil for Docs/Examples/Images.
    var images: String?
    var cells = 2_000
    var seed: UInt64 = 1
    var mode = FeedMode.layers
    /// Pixels per point; nil for the window's own.
    var scale: Double?
    /// Scrolls without a window, and says how well.
    var measures = false
    /// How many frames are measured; nil for 90 s of them.
    var frames: Int?
    /// The most hitches that a measurement may have, in milliseconds a second.
    var bar: Double?
    /// Where the figures go.
    var json: String?
    /// Where a picture of the window goes.
    var screenshot: String?
    /// What is done to the window.
    var script: [ScriptAction] = []

    static let help = """
        Usage: SDLFeed [options]

        A feed in an SDL window, drawn with Cairo and Pango off the main thread.

          --images FOLDER    PNG and JPEG files to show (default: Docs/Examples/Images)
          --cells N          posts in the feed, 1 to 100000 (default: 2000)
          --seed N           another number writes another feed (default: 1)
          --mode MODE        layers: drawn off the main thread (default)
                             synchronous: the same drawn on the main thread, to be compared with
          --scale S          pixels per point, 0.5 to 4 (default: the window's; 3 with --measure)
          --json FILE        write the figures when the program ends

          --measure          scroll through all cells at 60 Hz without a window, print figures
          --frames N         frames to measure, 120 to 1000000 (default: 5400, 90 s)
          --bar MS           exit with status 1 if hitches exceed MS milliseconds a second

          --script ACTIONS   do something to the window: actions with commas between them
                             wheel:N     N notches of the wheel, negative is down the feed;
                                         -10000 to 10000
                             drag:D      drag by D points and hold still, negative is down the feed;
                                         -100000 to 100000
                             flick:V     flick at V points a second, negative is down the feed;
                                         -100000 to 100000
                             key:NAME    up, down, pageup, pagedown, home or end
                             click:X:Y   click at a place of the window, in points
                             rest        wait until the feed has come to rest
                             wait        wait until it rests and shows every post in view
                             quit        end the program
          --screenshot FILE  when the script is done and all in view is drawn, write a PNG and quit
          --help, -h         print this text

        Keys: arrows, page up and page down, home and end; q or escape quits. A click on a heart likes
        the post.

        Exit status: 0 done, 1 over the bar, 64 wrong usage, 66 no pictures, 69 no display,
        73 a file cannot be written.

        """
}
