/// How smoothly frames were shown, over some time.
public struct FrameRateStatistics: Hashable, Sendable {
    /// How many frames were shown, not counting those that begin a motion: they have no frame before them that
    /// they could be late after.
    public internal(set) var frames = 0

    /// The time that they cover: from the beginning of each motion to its last frame, without pauses.
    public internal(set) var duration = Duration.zero

    /// The time by which frames were shown later than expected, all together.
    public internal(set) var hitchTime = Duration.zero

    /// The longest time by which a frame was shown later than expected.
    public internal(set) var longestHitch = Duration.zero

    /// How many refreshes of the display passed without the new frame that they were to bring.
    public internal(set) var droppedFrames = 0

    /// Frames a second; zero while there are none.
    public var framesPerSecond: Double {
        duration > .zero ? Double(frames) / (duration / .seconds(1)) : 0
    }

    /// The hitch time in milliseconds per second of motion: 0 is smooth, 1,000 stands still.
    ///
    /// Apple's hitch time ratio, as defined in the tech talk "Explore UI animation hitches and the render
    /// loop" (2020): a hitch is any time by which a frame appears on screen later than expected, and the sum
    /// over a motion is divided by the motion's duration, so that motions of different lengths compare. The
    /// talk calls less than 5 ms/s good, 5 to 10 noticeable, and more than 10 critical.
    public var hitchMillisecondsPerSecond: Double {
        duration > .zero ? hitchTime / duration * 1_000 : 0
    }
}
