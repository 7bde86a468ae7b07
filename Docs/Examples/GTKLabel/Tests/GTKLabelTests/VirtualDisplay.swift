import Foundation

/// An X server without a screen, for as long as it is held.
final class VirtualDisplay {
    /// What programs find it by.
    let name: String

    private let server: RunningProgram

    /// Starts a server on a number that is free.
    init() throws {
        let xvfb = try Program("Xvfb", package: "xvfb")
        // Longer than a program on it: of one that hangs, the display must not be what ends it.
        server = try xvfb.start(
            ["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"], limit: .seconds(180))
        while let line = server.nextLine() {
            guard let number = Int(line) else { continue }  // a warning
            name = ":\(number)"
            return
        }
        throw Program.Failure(description: "Xvfb has ended without naming a display")
    }

    /// The example, with its window on this display.
    func label(scale: Int = 1) throws -> Program { try program("GTKLabel", scale: scale) }

    /// A program of this package, with its window on this display.
    func program(_ product: String, scale: Int = 1) throws -> Program {
        var program = try Program(product)
        program.environment["DISPLAY"] = name
        program.environment["WAYLAND_DISPLAY"] = nil
        program.environment["GDK_BACKEND"] = "x11"
        program.environment["GDK_SCALE"] = "\(scale)"
        // The same picture with and without OpenGL.
        program.environment["GSK_RENDERER"] = "cairo"
        return program
    }

    /// Moves the pointer, presses and releases, as xdotool's commands say.
    func point(_ commands: String) throws {
        var xdotool = try Program("xdotool", package: "xdotool")
        xdotool.environment["DISPLAY"] = name
        try xdotool.run(commands.split(separator: " ").map(String.init))
    }
}
