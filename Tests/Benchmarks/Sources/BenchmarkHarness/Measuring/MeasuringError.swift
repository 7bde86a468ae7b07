/// Something that makes a measurement worthless.
package struct MeasuringError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
