/// What the authors write, by subject: each post takes a few sentences of one subject.
///
/// Most is read from the left, some from the right, some has no spaces: what a text engine is for.
enum Sentences {
    static let latin: [[String]] = [
        [
            "Up before the sun, and it was worth the cold fingers.",
            "The path was still white above the last trees.",
            "Four hours up, two hours down, and not a soul in between.",
            "From the ridge you can count nine valleys, one behind the other.",
            "We took the long way round because of the wind, and then the longer one because of the view.",
            "Soup has never tasted like this.",
        ],
        [
            "The ferry leaves at six, with or without us.",
            "Somebody told me that the sea is never the same blue twice, so I have begun to keep a list.",
            "Low water at noon: you can walk to the island and back if you are quick.",
            "No wind at all. The sails hang like washing.",
            "Saw the first swallows over the harbour today.",
        ],
        [
            "Spent the evening zooming into the edge of a set that has no end.",
            "It is always the same shape and never the same shape.",
            "The whole formula fits on a stamp: square it, add what you began with, look whether it stays.",
            "The deeper you go, the longer each picture takes, and still nobody stops.",
            "Printed one at two metres by one. It now hangs in the kitchen and frightens guests.",
        ],
        [
            "Moved all drawing off the main thread this week.",
            "The list no longer stutters, and I have run out of excuses.",
            "A frame has sixteen milliseconds; text alone took nine of them.",
            "What nobody looks at any more need not be drawn. It sounds obvious when you say it aloud.",
            "Old picture until the new one is there: no flash, no grey boxes, no apology.",
            "Measured it on the slow laptop, as one should.",
        ],
        [
            "Bought a map of a place that I will never go to.",
            "Contour lines are the only handwriting that a landscape has.",
            "The town library has a drawer of maps that nobody has unfolded since 1931.",
            "Spent an hour looking for the spring that gave our street its name, and found it behind the bakery.",
        ],
        [
            "Bread, second try: less water, more patience.",
            "It rose, it fell, it rose again.",
            "The recipe says overnight; the recipe has never met my kitchen in August.",
            "Crust like a roof tile. I am told that this is a compliment.",
        ],
    ]

    static let arabic = [
        "وصلنا إلى القمة قبل شروق الشمس بقليل، وكان الهواء باردا وصافيا.",
        "البحر هادئ اليوم، والقوارب الصغيرة تعود واحدا بعد الآخر.",
        "أكتب هذه السطور من مقهى صغير قرب الميناء.",
        "كل صورة تحكي حكاية، وهذه حكايتها طويلة.",
    ]

    static let hebrew = [
        "הגענו לפסגה רגע לפני הזריחה, והאוויר היה קר וצלול.",
        "הים שקט היום, והסירות הקטנות חוזרות אחת אחרי השנייה.",
        "כתבתי את זה בבית קפה קטן ליד הנמל.",
        "לכל תמונה יש סיפור, ולזאת סיפור ארוך.",
    ]

    static let chinese = [
        "天还没亮我们就出发了，山上的风很冷，但是日出非常美。",
        "今天海面很平静，小船一只接一只地回到港口。",
        "在码头旁边的小咖啡馆里写下这几行字。",
        "每张照片都有一个故事，这一张的故事特别长。",
    ]

    static let japanese = [
        "日の出の少し前に山頂に着きました。空気は冷たく、とても澄んでいました。",
        "今日の海は静かで、小さな船が次々と港に戻ってきます。",
        "港の近くの小さな喫茶店でこれを書いています。",
        "どの写真にも物語があります。この一枚の物語は少し長いです。",
    ]

    static let tags = [
        "#morning", "#mountains", "#sea", "#maps", "#fractals", "#offscreen", "#bread", "#slow",
    ]

    static let addresses = [
        "https://example.org/ridge", "https://example.org/tides", "https://example.net/deep-zoom",
        "https://example.com/frames/60", "https://example.net/maps?sheet=12", "https://example.org/crust",
    ]
}
