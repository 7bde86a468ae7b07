import AsyncLayers
import CGTK4
import CairoRendering
import GTKLayers
import TiledLayers

@preconcurrency import CEpoxy

/// Shows a board with OpenGL, in a GtkGLArea: of a tile only the pixels that have changed are uploaded.
@MainActor
final class GLCanvas: Canvas {
    let widget: UnsafeMutablePointer<GtkWidget> = gtk_gl_area_new()
    private(set) var frames = 0
    private let view: BoardView
    private let textures = TileTextures<GLuint>()
    private var program: GLuint = 0

    init(_ view: BoardView) {
        self.view = view
        g_object_ref_sink(widget)
        Signals.connect(widget, "realize") { [unowned self] in begin() }
        Signals.connect(widget, handled: "render") { [unowned self] in render() }
    }

    isolated deinit { g_object_unref(widget) }

    private var area: UnsafeMutablePointer<GtkGLArea> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkGLArea.self)
    }

    func redraw() { gtk_gl_area_queue_render(area) }

    // MARK: The context

    /// The context is a new one, without textures.
    private func begin() {
        gtk_gl_area_make_current(area)
        if let error = gtk_gl_area_get_error(area) { fail(String(cString: error.pointee.message)) }
        textures.removeAll(of: view.layer)
        program = epoxy_glCreateProgram()
        let version = epoxy_is_desktop_gl() ? "#version 150\n" : "#version 300 es\nprecision highp float;\n"
        for (kind, source) in [(GL_VERTEX_SHADER, Self.vertices), (GL_FRAGMENT_SHADER, Self.fragments)] {
            let shader = epoxy_glCreateShader(GLenum(kind))
            (version + source).withCString { text in
                var text: UnsafePointer<GLchar>? = text
                epoxy_glShaderSource(shader, 1, &text, nil)
            }
            epoxy_glCompileShader(shader)
            epoxy_glAttachShader(program, shader)
        }
        epoxy_glLinkProgram(program)
        var isLinked: GLint = 0
        epoxy_glGetProgramiv(program, GLenum(GL_LINK_STATUS), &isLinked)
        if isLinked == 0 { fail("the shaders cannot be linked") }
        // Corners have no attributes, but a core profile wants an array of them.
        var array: GLuint = 0
        epoxy_glGenVertexArrays(1, &array)
        epoxy_glBindVertexArray(array)
    }

    /// The corners of a quad, all in pixels: the window's, from its top left, and the texture's.
    private static let vertices = """
        uniform vec4 window, destination, source;
        out vec2 place;
        void main() {
            vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
            place = source.xy + corner * source.zw;
            vec2 share = (destination.xy + corner * destination.zw) / window.zw;
            gl_Position = vec4(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, 0.0, 1.0);
        }
        """
    /// Cairo's pixels are numbers with blue in their lowest byte.
    private static let fragments = """
        uniform sampler2D tile;
        in vec2 place;
        out vec4 color;
        void main() { color = texture(tile, place / vec2(textureSize(tile, 0))).bgra; }
        """

    private func set(_ name: String, _ rect: Rect) {
        epoxy_glUniform4f(
            epoxy_glGetUniformLocation(program, name), GLfloat(rect.minX), GLfloat(rect.minY),
            GLfloat(rect.size.width), GLfloat(rect.size.height))
    }

    // MARK: A frame

    private func render() {
        frames += 1
        let (pixels, color) = (resize(view), Board.background)
        let frame = textures.update(from: view.layer, upload: upload) { texture in
            withUnsafePointer(to: texture) { epoxy_glDeleteTextures(1, $0) }
        }
        epoxy_glClearColor(GLfloat(color.red), GLfloat(color.green), GLfloat(color.blue), 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        epoxy_glUseProgram(program)
        epoxy_glEnable(GLenum(GL_BLEND))
        // Cairo's colours are multiplied by their alpha.
        epoxy_glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        set("window", pixels)
        for (texture, place) in frame.placed {
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), texture)
            set("source", place.source)
            set("destination", Rect(place.destination))
            epoxy_glDrawArrays(GLenum(GL_TRIANGLE_STRIP), 0, 4)
        }
    }

    private func upload(_ image: CairoImage, _ former: TileTextures<GLuint>.Former?) -> GLuint {
        let texture = former?.texture ?? makeTexture(image.pixelWidth, image.pixelHeight)
        let whole = PixelRect(minX: 0, minY: 0, maxX: image.pixelWidth, maxY: image.pixelHeight)
        let pixels = former?.pixels ?? whole
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(image.bytesPerRow / 4))
        image.withUnsafeBytes { bytes in
            epoxy_glTexSubImage2D(
                GLenum(GL_TEXTURE_2D), 0, GLint(pixels.minX), GLint(pixels.minY), GLsizei(pixels.width),
                GLsizei(pixels.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                bytes.baseAddress! + pixels.minY * image.bytesPerRow + 4 * pixels.minX)
        }
        return texture
    }

    private func makeTexture(_ width: Int, _ height: Int) -> GLuint {
        let target = GLenum(GL_TEXTURE_2D)
        var texture: GLuint = 0
        epoxy_glGenTextures(1, &texture)
        epoxy_glBindTexture(target, texture)
        epoxy_glTexImage2D(
            target, 0, GL_RGBA8, GLsizei(width), GLsizei(height), 0, GLenum(GL_RGBA),
            GLenum(GL_UNSIGNED_BYTE), nil)
        // For tiles of another scale; where pixel meets pixel it changes nothing.
        for (name, value) in [
            (GL_TEXTURE_MIN_FILTER, GL_LINEAR), (GL_TEXTURE_MAG_FILTER, GL_LINEAR),
            (GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE), (GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE),
        ] { epoxy_glTexParameteri(target, GLenum(name), value) }
        return texture
    }
}
