#if Cairo
    public import AsyncLayers

    extension TextCarets {
        /// A line of a text.
        ///
        /// Its characters (cells) are known in two orders, that of reading and that from the left. Between
        /// cells, boundaries are numbered in the order of reading and slots from the left. A boundary has the
        /// slots where the cell before it ends and where the one behind it begins, which is one slot within
        /// text of one direction. If each boundary is given the slot of its neighbour with the lower bidi
        /// level, where the paragraph itself is the neighbour at a line's ends, then each slot is given to
        /// exactly one boundary: a stretch of a higher level has its outer boundaries in the text around it,
        /// and as many of its own boundaries as slots within. So moving from slot to slot reaches each index
        /// once.
        public struct Line: Sendable {
            /// The characters, with the line break. The ranges of all lines make up the text: that of the
            /// last line has all that a line limit leaves out.
            public let range: Range<String.Index>
            /// The line's extent in points, in the layout.
            public let rect: Rect
            /// From the layout's top to the line that the letters stand on, in points.
            public let baseline: Double
            /// Whether the paragraph is read from the right.
            public let isRightToLeft: Bool
            /// Whether the next line continues the paragraph.
            public let isWrapped: Bool

            /// The position before the first character, as of the key Home. O(1).
            public var start: Position { position(at: startSlot) }
            /// The position behind the last character and before the line break, as of the key End. O(1).
            public var end: Position { position(at: endSlot) }

            /// Whether it continues the paragraph of the line before.
            let continues: Bool
            /// In the order of reading.
            let cells: [Cell]
            /// The cells from the left.
            private let order: [Int32]
            private let contentEnd: String.Index
            /// Boundaries at an isolate's edge with a lower level than both neighbours, and their slots: the
            /// isolate's mark, which has no cell, is the neighbour with the lowest level. In the order of
            /// reading. Few: an isolate is beside text of the other direction without a space between.
            private let edges: [(boundary: Int, slot: Int)]

            struct Cell: Sendable {
                let index: String.Index
                var left: Double
                var right: Double
                /// Its place from the left.
                var place: Int32
                /// The bidi level: odd where text is read from the right.
                let level: UInt8
                var boundaries: CaretPart.Boundaries

                var isRightToLeft: Bool { level % 2 == 1 }
                var startSlot: Int { Int(place) + (isRightToLeft ? 1 : 0) }
                var endSlot: Int { Int(place) + (isRightToLeft ? 0 : 1) }
            }

            /// - Parameters:
            ///   - end: where the line's content ends in the text.
            ///   - next: where the next line begins.
            ///   - index: the index of an offset in the text.
            init(
                _ line: TextLine, end: Int, next: Int, continues: Bool, isWrapped: Bool,
                index: (Int) -> String.Index
            ) {
                range = index(line.range.lowerBound)..<index(next)
                baseline = line.baseline
                isRightToLeft = line.isRightToLeft
                self.continues = continues
                self.isWrapped = isWrapped
                contentEnd = index(end)
                var cells: [Cell] = []
                var edges: [(boundary: Int, slot: Int)] = []
                // The isolates' marks since the last cell.
                var marks: (level: UInt8, place: Int, boundaries: CaretPart.Boundaries)?
                for (place, part) in line.carets.enumerated().sorted(by: { $0.1.offset < $1.1.offset })
                where part.offset < end {
                    let last = cells.indices.last
                    if part.boundaries.contains(.mark) {
                        if let last, part.boundaries.contains(.wordEnd) {
                            cells[last].boundaries.insert(.wordEnd)
                        }
                        let lowest = marks.flatMap { $0.level <= part.level ? $0 : nil }
                        marks = (
                            lowest?.level ?? part.level, lowest?.place ?? place,
                            part.boundaries.intersection([.segment, .wordStart]).union(
                                marks?.boundaries ?? [])
                        )
                    } else if let last, !part.boundaries.contains(.character) {
                        // A mark in another style or font than its letter.
                        cells[last].left = min(cells[last].left, part.left)
                        cells[last].right = max(cells[last].right, part.right)
                        cells[last].boundaries.remove(.wordEnd)
                        cells[last].boundaries.formUnion(part.boundaries.intersection(.wordEnd))
                    } else {
                        if let last, let marks, marks.level < min(cells[last].level, part.level) {
                            edges.append((cells.count, marks.place))
                        }
                        cells.append(
                            Cell(
                                index: index(part.offset), left: part.left, right: part.right,
                                place: Int32(place), level: part.level,
                                boundaries: part.boundaries.union(marks?.boundaries ?? [])))
                        marks = nil
                    }
                }
                order = cells.indices.sorted { cells[$0].place < cells[$1].place }.map { Int32($0) }
                for index in edges.indices {
                    let place = edges[index].slot
                    edges[index].slot = TextCarets.count(of: order.count) { [order] in
                        cells[Int(order[$0])].place < place
                    }
                }
                self.edges = edges
                var right = -Double.infinity
                for (place, cell) in order.enumerated() {
                    let cell = Int(cell)
                    cells[cell].place = Int32(place)
                    // Letters go backwards with much negative spacing; carets do not.
                    cells[cell].left = max(cells[cell].left, right)
                    right = max(cells[cell].left, cells[cell].right)
                    cells[cell].right = right
                }
                self.cells = cells
                rect = Self.rect(of: cells, order, line.rect)
            }

            /// Not Pango's, for which the space at a justified line's end has a negative width.
            private static func rect(of cells: [Cell], _ order: [Int32], _ rect: Rect) -> Rect {
                guard let first = order.first, let last = order.last else { return rect }
                let (left, right) = (cells[Int(first)].left, cells[Int(last)].right)
                return Rect(x: left, y: rect.minY, width: right - left, height: rect.size.height)
            }

            // MARK: Boundaries and slots

            var startSlot: Int { isRightToLeft ? cells.count : 0 }
            var endSlot: Int { isRightToLeft ? 0 : cells.count }

            /// The boundary at an index or before it.
            func boundary(at index: String.Index) -> Int {
                if index >= contentEnd { return cells.count }
                return max(TextCarets.count(of: cells.count) { cells[$0].index <= index } - 1, 0)
            }

            func index(of boundary: Int) -> String.Index {
                boundary < cells.count ? cells[boundary].index : contentEnd
            }

            private func edge(at boundary: Int) -> Int? {
                edges.first { $0.boundary == boundary }?.slot
            }

            func upstreamSlot(of boundary: Int) -> Int {
                if let slot = edge(at: boundary) { return slot }
                return boundary > 0 ? cells[boundary - 1].endSlot : startSlot
            }

            func downstreamSlot(of boundary: Int) -> Int {
                boundary < cells.count ? cells[boundary].startSlot : endSlot
            }

            func strongSlot(of boundary: Int) -> Int {
                edge(at: boundary) != nil || level(of: boundary - 1) < level(of: boundary)
                    ? upstreamSlot(of: boundary) : downstreamSlot(of: boundary)
            }

            private func level(of cell: Int) -> UInt8 {
                cells.indices ~= cell ? cells[cell].level : isRightToLeft ? 1 : 0
            }

            /// Where the caret is. Where the line is wrapped the affinity chooses one of two lines, and
            /// cannot choose a slot as well.
            func slot(of boundary: Int, _ affinity: Affinity) -> Int {
                if isWrapped, boundary == cells.count { return endSlot }
                if continues, boundary == 0 { return startSlot }
                return affinity == .upstream ? upstreamSlot(of: boundary) : downstreamSlot(of: boundary)
            }

            func position(of boundary: Int, at slot: Int) -> Position {
                let isUpstream = isWrapped && boundary == cells.count
                let isDownstream = self.slot(of: boundary, .downstream) == slot
                return Position(
                    index(of: boundary), affinity: isDownstream && !isUpstream ? .downstream : .upstream)
            }

            /// The position whose strong caret is in a slot.
            func position(at slot: Int) -> Position {
                let left = slot > 0 ? Int(order[slot - 1]) : nil
                let right = slot < cells.count ? Int(order[slot]) : nil
                let (leftLevel, rightLevel) = (level(of: left ?? -1), level(of: right ?? -1))
                let boundary =
                    if let edge = edges.first(where: { $0.slot == slot }) {
                        edge.boundary
                    } else if let left, leftLevel <= rightLevel {
                        cells[left].isRightToLeft ? left : left + 1
                    } else if let right, rightLevel <= leftLevel {
                        cells[right].isRightToLeft ? right + 1 : right
                    } else {
                        slot == startSlot ? 0 : cells.count
                    }
                return position(of: boundary, at: slot)
            }

            // MARK: Points

            func caret(at slot: Int) -> Rect {
                let x =
                    if slot < cells.count {
                        cells[Int(order[slot])].left
                    } else {
                        order.last.map { cells[Int($0)].right } ?? rect.minX
                    }
                return Rect(x: x, y: rect.minY, width: 0, height: rect.size.height)
            }

            func closestPosition(to x: Double) -> Position {
                let x = x.isNaN ? 0 : x
                let place = TextCarets.count(of: cells.count) { cells[Int(order[$0])].right <= x }
                guard place < cells.count else { return position(at: place) }
                let number = Int(order[place])
                let cell = cells[number]
                // Where the caret itself is, its own index and not a neighbour's.
                guard x > cell.left else { return position(at: place) }
                let slot = x - cell.left < cell.right - x ? place : place + 1
                let boundary = slot == cell.startSlot ? number : number + 1
                let affinity = slot == cell.startSlot ? Affinity.downstream : .upstream
                return self.slot(of: boundary, affinity) == slot
                    ? position(of: boundary, at: slot) : position(at: slot)
            }

            func selection(of boundaries: Range<Int>, above bottom: Double) -> [Rect] {
                let height = min(rect.size.height, bottom - rect.minY)
                guard height > 0, !boundaries.isEmpty else { return [] }
                var rects: [Rect] = []
                var isJoined = false
                for cell in order.lazy.map({ Int($0) }) {
                    guard boundaries ~= cell else {
                        isJoined = false
                        continue
                    }
                    let (left, right) = (cells[cell].left, cells[cell].right)
                    guard left < right else { continue }
                    if isJoined {
                        rects[rects.count - 1].size.width = right - rects[rects.count - 1].minX
                    } else {
                        rects.append(Rect(x: left, y: rect.minY, width: right - left, height: height))
                    }
                    isJoined = true
                }
                return rects
            }
        }
    }
#endif
