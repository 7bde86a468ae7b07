/// A queue's label cut to what the kernel keeps of a thread's name: 15 bytes.
///
/// The middle is left out, since labels of one pool differ at their ends. No character is cut in two.
func threadName(for label: String) -> String {
    let limit = 15
    guard label.utf8.count > limit else { return label }
    var (head, tail) = ("", "")
    for character in label.prefix(limit) {
        guard head.utf8.count + String(character).utf8.count <= limit / 2 else { break }
        head.append(character)
    }
    for character in label.suffix(limit).reversed() {
        guard head.utf8.count + 1 + tail.utf8.count + String(character).utf8.count <= limit else { break }
        tail.insert(character, at: tail.startIndex)
    }
    return head + "~" + tail
}
