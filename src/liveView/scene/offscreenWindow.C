#include <vtkAutoInit.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkRenderWindow.h>

#include "offscreenWindow.H"
#include "viewDisplay.H"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

VTK_MODULE_INIT(vtkRenderingOpenGL2)

namespace lbmView
{

namespace
{

// EGL and X are looked up when they are needed: neither headers nor libraries
// need be there otherwise. Names and numbers as in EGL's registry.
using eglDisplay = void*;
using eglContext = void*;
using eglConfig = void*;
using eglSurface = void*;
using eglInt = std::int32_t;

constexpr unsigned EGL_PLATFORM_SURFACELESS_MESA = 0x31DD;
constexpr unsigned EGL_PLATFORM_DEVICE_EXT = 0x313F;
constexpr unsigned EGL_OPENGL_API = 0x30A2;
constexpr eglInt EGL_NONE = 0x3038;


struct library
{
    void* handle = nullptr;

    explicit library(const char* name)
    :
        handle(dlopen(name, RTLD_NOW | RTLD_LOCAL))
    {}

    template<class Function>
    bool find(Function& f, const char* name) const
    {
        f = handle ? reinterpret_cast<Function>(dlsym(handle, name)) : nullptr;
        return f;
    }
};


struct eglLibrary
:
    public library
{
    void* (*getProcAddress)(const char*) = nullptr;
    unsigned (*initialize)(eglDisplay, eglInt*, eglInt*) = nullptr;
    unsigned (*terminate)(eglDisplay) = nullptr;
    unsigned (*bindApi)(unsigned) = nullptr;
    unsigned (*chooseConfig)
        (eglDisplay, const eglInt*, eglConfig*, eglInt, eglInt*) = nullptr;
    eglContext (*createContext)
        (eglDisplay, eglConfig, eglContext, const eglInt*) = nullptr;
    unsigned (*destroyContext)(eglDisplay, eglContext) = nullptr;
    eglSurface (*createPbuffer)
        (eglDisplay, eglConfig, const eglInt*) = nullptr;
    unsigned (*destroySurface)(eglDisplay, eglSurface) = nullptr;
    unsigned (*makeCurrent)
        (eglDisplay, eglSurface, eglSurface, eglContext) = nullptr;
    eglContext (*currentContext)() = nullptr;
    eglDisplay (*platformDisplay)(unsigned, void*, const eglInt*) = nullptr;
    unsigned (*devices)(eglInt, void**, eglInt*) = nullptr;

    bool complete = false;

    eglLibrary()
    :
        library("libEGL.so.1")
    {
        complete =
            find(getProcAddress, "eglGetProcAddress")
         && find(initialize, "eglInitialize")
         && find(terminate, "eglTerminate")
         && find(bindApi, "eglBindAPI")
         && find(chooseConfig, "eglChooseConfig")
         && find(createContext, "eglCreateContext")
         && find(destroyContext, "eglDestroyContext")
         && find(createPbuffer, "eglCreatePbufferSurface")
         && find(destroySurface, "eglDestroySurface")
         && find(makeCurrent, "eglMakeCurrent")
         && find(currentContext, "eglGetCurrentContext");

        if (complete)
        {
            platformDisplay = reinterpret_cast<decltype(platformDisplay)>
            (
                getProcAddress("eglGetPlatformDisplayEXT")
            );
            devices = reinterpret_cast<decltype(devices)>
            (
                getProcAddress("eglQueryDevicesEXT")
            );
            complete = platformDisplay;
        }
    }
};


const eglLibrary& egl()
{
    static const eglLibrary all;
    return all;
}


struct eglState
{
    eglDisplay display = nullptr;
    eglContext context = nullptr;
    eglSurface surface = nullptr;

    bool makeCurrent() const
    {
        return egl().makeCurrent(display, surface, surface, context);
    }

    bool open(eglDisplay on)
    {
        const eglLibrary& e = egl();
        eglInt major, minor, n = 0;
        eglConfig config = nullptr;

        // Surface: a buffer of pixels. For OpenGL; 8 bits a colour and alpha,
        // 24 of depth
        const eglInt wanted[] =
        {
            0x3033, 0x0001, 0x3040, 0x0008,
            0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8, 0x3025, 24,
            EGL_NONE
        };
        // Version 3.2, core profile
        const eglInt version[] =
            {0x3098, 3, 0x30FB, 2, 0x30FD, 1, EGL_NONE};
        const eglInt size[] = {0x3057, 16, 0x3056, 16, EGL_NONE};

        if (!on || !e.initialize(on, &major, &minor))
        {
            return false;
        }
        display = on;
        if
        (
            e.bindApi(EGL_OPENGL_API)
         && e.chooseConfig(display, wanted, &config, 1, &n) && n > 0
         && (context = e.createContext(display, config, nullptr, version))
        )
        {
            surface = e.createPbuffer(display, config, size);
            if (makeCurrent())
            {
                return true;
            }
        }
        close();
        return false;
    }

    void close()
    {
        const eglLibrary& e = egl();
        if (!display)
        {
            return;
        }
        e.makeCurrent(display, nullptr, nullptr, nullptr);
        if (surface)
        {
            e.destroySurface(display, surface);
        }
        if (context)
        {
            e.destroyContext(display, context);
        }
        // Displays are shared in a program, and another window may use this one
        display = context = surface = nullptr;
    }
};


// Draws into the context of EGL
class eglWindow
:
    public vtkGenericOpenGLRenderWindow
{
public:

    eglState* egl_ = nullptr;

    static eglWindow* New();
    vtkTypeMacro(eglWindow, vtkGenericOpenGLRenderWindow);

    void MakeCurrent() override
    {
        if (egl_ && !IsCurrent())
        {
            egl_->makeCurrent();
        }
    }

    bool IsCurrent() override
    {
        return egl_ && egl().currentContext() == egl_->context;
    }

    int SupportsOpenGL() override
    {
        return 1;
    }

    vtkTypeBool IsDirect() override
    {
        return 1;
    }

    void OpenGLInitContext() override
    {
        if (!Initialized)
        {
            const auto init = reinterpret_cast<unsigned (*)()>
            (
                dlsym(RTLD_DEFAULT, "glewInit")
            );
            auto* experimental = static_cast<unsigned char*>
            (
                dlsym(RTLD_DEFAULT, "glewExperimental")
            );
            constexpr unsigned noGlx = 4;

            if (init && experimental)
            {
                *experimental = 1;
                const unsigned status = init();
                if (status == 0 || status == noGlx)
                {
                    GlewInitValid = true;
                    Initialized = true;
                }
            }
        }
        Superclass::OpenGLInitContext();
    }

protected:

    eglWindow()
    {
        ReadyForRendering = true;
    }
};

vtkStandardNewMacro(eglWindow);


// An X server in memory. It ends with its last client: with this program too,
// however that ends.
class xServer
{
    pid_t process_ = 0;
    std::string name_;

public:

    bool start()
    {
        int ends[2];
        if (pipe(ends) != 0)
        {
            return false;
        }
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);

        const std::string number = std::to_string(ends[1]);
        const char* arguments[] =
        {
            "Xvfb", "-displayfd", number.c_str(), "-screen", "0",
            "64x64x24", "-nolisten", "tcp", "-terminate", nullptr
        };

        // Ctrl-C in the terminal is for the run, which then ends its server
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        for (const int fd : {1, 2})
        {
            posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
        }
        const int failed = posix_spawnp
        (
            &process_,
            arguments[0],
            &files,
            &attributes,
            const_cast<char**>(arguments),
            environ
        );
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
        close(ends[1]);

        if (failed)
        {
            process_ = 0;
        }
        else
        {
            constexpr int patience = 10000;
            pollfd answer = {ends[0], POLLIN, 0};
            char text[16] = {0};
            if (poll(&answer, 1, patience) > 0 && read(ends[0], text, 15) > 0)
            {
                name_ = ":" + std::to_string(std::atoi(text));
            }
        }
        close(ends[0]);
        return !name_.empty();
    }

    const std::string& name() const
    {
        return name_;
    }

    ~xServer()
    {
        if (process_)
        {
            kill(process_, SIGTERM);
            waitpid(process_, nullptr, 0);
        }
    }
};

} // End unnamed namespace


struct offscreenWindow::context
{
    eglState egl;

    // The server outlives what is connected to it
    xServer server;
    library x11{"libX11.so.6"};
    void* display = nullptr;

    bool connect(const char* name)
    {
        void* (*open)(const char*) = nullptr;
        if (name && *name && x11.find(open, "XOpenDisplay"))
        {
            display = open(name);
        }
        return display;
    }

    ~context()
    {
        int (*close)(void*) = nullptr;
        if (display && x11.find(close, "XCloseDisplay"))
        {
            close(display);
        }
        egl.close();
    }
};


bool offscreenWindow::open(kind how)
{
    context_ = std::make_unique<context>();

    if (how == kind::surfaceless || how == kind::device)
    {
        const eglLibrary& e = egl();
        if (!e.complete)
        {
            return false;
        }
        eglState& state = context_->egl;
        if (how == kind::surfaceless)
        {
            state.open
            (
                e.platformDisplay
                (
                    EGL_PLATFORM_SURFACELESS_MESA,
                    nullptr,
                    nullptr
                )
            );
        }
        else if (e.devices)
        {
            void* devices[16];
            eglInt n = 0;
            e.devices(16, devices, &n);
            for (eglInt i = 0; i < n && !state.context; ++i)
            {
                state.open
                (
                    e.platformDisplay
                    (
                        EGL_PLATFORM_DEVICE_EXT,
                        devices[i],
                        nullptr
                    )
                );
            }
        }
        if (!state.context)
        {
            return false;
        }
        auto window = vtkSmartPointer<eglWindow>::New();
        window->egl_ = &state;
        window_ = window;
        name_ =
            how == kind::surfaceless ? "EGL without surface" : "EGL of a device";
    }
    else
    {
        const bool own = how == kind::xvfb;
        if (own && !context_->server.start())
        {
            return false;
        }
        const char* name =
            own ? context_->server.name().c_str() : std::getenv("DISPLAY");
        if (!context_->connect(name))
        {
            return false;
        }
        window_ = vtkSmartPointer<vtkRenderWindow>::New();
        window_->SetDisplayId(context_->display);
        name_ = own ? "Xvfb" : std::string("X server ") + name;
    }

    window_->SetOffScreenRendering(1);
    window_->SetShowWindow(false);
    window_->SetSize(16, 16);
    if (auto* gl = vtkOpenGLRenderWindow::SafeDownCast(window_))
    {
        gl->Initialize();
        gl->MakeCurrent();
        gl->OpenGLInit();

        // "OpenGL renderer string:  llvmpipe ..."
        const std::string all = gl->ReportCapabilities();
        const std::string key = "OpenGL renderer string:";
        const std::size_t at = all.find(key);
        if (at != std::string::npos)
        {
            const std::size_t from =
                all.find_first_not_of(' ', at + key.size());
            name_ += ", " + all.substr(from, all.find('\n', from) - from);
            return true;
        }
    }
    return false;
}


offscreenWindow::offscreenWindow(kind how)
{
    std::vector<kind> ways = {how};
    if (how == kind::automatic)
    {
        ways = {kind::surfaceless, kind::device, kind::display, kind::xvfb};
    }
    for (const kind way : ways)
    {
        if (open(way))
        {
            return;
        }
        window_ = nullptr;
        context_.reset();
    }
    throw viewError
    (
        "Pictures of volumes need OpenGL without a screen: Mesa's EGL (Debian:"
        " libegl1 libegl-mesa0 libgl1-mesa-dri) or an X server in memory"
        " (Debian: xvfb)"
    );
}


offscreenWindow::~offscreenWindow()
{
    if (window_)
    {
        window_->Finalize();
        window_ = nullptr;
    }
}

} // End namespace lbmView
