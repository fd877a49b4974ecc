/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam.

    lbmGpuFoam is free software: you can redistribute it and/or modify it
    under the terms of the GNU General Public License as published by
    the Free Software Foundation, either version 3 of the License, or
    (at your option) any later version.

    lbmGpuFoam is distributed in the hope that it will be useful, but WITHOUT
    ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
    FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
    for more details.

    You should have received a copy of the GNU General Public License
    along with lbmGpuFoam.  If not, see <http://www.gnu.org/licenses/>.

\*---------------------------------------------------------------------------*/

#include "browserDisplay.H"
#include "browserAccess.H"
#include "eventQueue.H"
#include "eventText.H"
#include "jpegEncoder.H"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <array>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>

// Beast takes long to compile, whatever one uses of it: so this is one file,
// with the server first (who is there, who steers, which picture is the latest)
// and then the connection (one request, or one viewer).

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

using boost::system::error_code;
using clockType = std::chrono::steady_clock;
using tcp = boost::asio::ip::tcp;

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

const char* const pageText =
#include "browserPage.H"
;

//- Connections at a time, of viewers and others
constexpr std::size_t mostConnections = 16;

//- Of a request [bytes]
constexpr std::uint32_t mostHeader = 8192;

//- Of a viewer's message [bytes]
constexpr std::size_t mostMessage = 256;

using byteVector = std::vector<std::uint8_t>;


std::chrono::milliseconds seconds(const double s)
{
    return std::chrono::milliseconds(std::lround(1000*s));
}


void append(byteVector& bytes, const double value)
{
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    for (int i = 0; i < 8; ++i)
    {
        bytes.push_back(static_cast<std::uint8_t>(bits >> 8*i));
    }
}


void replaceAll
(
    std::string& text,
    const std::string& what,
    const std::string& by
)
{
    for
    (
        std::size_t at = text.find(what);
        at != std::string::npos;
        at = text.find(what, at + by.size())
    )
    {
        text.replace(at, what.size(), by);
    }
}


std::string escapedHtml(std::string text)
{
    replaceAll(text, "&", "&amp;");
    replaceAll(text, "<", "&lt;");
    replaceAll(text, ">", "&gt;");
    replaceAll(text, "\"", "&quot;");
    return text;
}


// Programs that the run starts must not keep the port
void closeOnExec(const int descriptor)
{
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (flags != -1)
    {
        ::fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
    }
}


asio::ip::address addressOf(const lbmView::browserDisplay::options& chosen)
{
    error_code error;
    const asio::ip::address address = asio::ip::make_address
    (
        chosen.address == "localhost" ? "127.0.0.1" : chosen.address,
        error
    );

    if (error)
    {
        throw lbmView::viewError
        (
            "'" + chosen.address + "' is no address of this machine: give a"
            " number such as 127.0.0.1, or localhost"
        );
    }

    if (!address.is_loopback() && !chosen.allowRemote)
    {
        const std::string port =
            chosen.port ? std::to_string(chosen.port) : "8080";

        throw lbmView::viewError
        (
            "address " + chosen.address + " can be reached from other"
            " machines: anyone who has the page's address with its token may"
            " watch and steer the run, and the traffic is not encrypted.\n"
            "    Better keep 127.0.0.1, with a fixed port, and use an SSH"
            " tunnel from the machine of the browser:\n"
            "        ssh -L " + port + ":127.0.0.1:" + port
          + " <this machine>\n"
            "    Or, where the network can be trusted, set allowRemote"
        );
    }
    return address;
}

} // End anonymous namespace


// * * * * * * * * * * * * * * * * * Server  * * * * * * * * * * * * * * * * //

// All but what the run calls (wanted, show, events, where) happens in one
// thread, so only these need the mutex; nothing slow is done under it.
class lbmView::browserDisplay::server
{
public:

    explicit server(const options& chosen);

    server(const server&) = delete;
    void operator=(const server&) = delete;

    ~server();

    // For the run

        bool wanted()
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            return ready_;
        }

        void show(const viewPicture& picture, long step, double time);

        std::vector<viewEvent> events()
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            return events_.take();
        }

        const std::string& where() const
        {
            return where_;
        }

    // For connections

        const options& chosen() const
        {
            return options_;
        }

        const std::string& token() const
        {
            return token_;
        }

        //- The connection has become a viewer
        void join(connection& viewer);

        //- No viewer any more: the next one steers
        void stepDown(const connection& viewer);

        //- Forget it
        void leave(const connection& leaving);

        bool steers(const connection& viewer) const
        {
            return !viewers_.empty() && viewers_.front() == &viewer;
        }

        //- False if there are too many
        bool push(const viewEvent& event);

        //- Take what the run has shown, if it is new; returns the number of
        //  the frame, 0 if there is none yet
        unsigned long takeFrame();

        //- That frame, as it is sent
        std::shared_ptr<const byteVector> frameBytes();

        double width() const
        {
            return picture_.width;
        }

        double height() const
        {
            return picture_.height;
        }

        //- Find out again whether somebody waits for a picture
        void findReady();

private:

    struct shownPicture
    :
        viewPicture
    {
        long step = 0;
        double time = 0;
    };

    const options options_;
    const std::string token_;
    std::string where_;

    asio::io_context context_;
    tcp::acceptor acceptor_;
    asio::steady_timer retry_;
    asio::steady_timer end_;
    bool ending_ = false;

    //- Oldest first
    std::list<std::shared_ptr<connection>> connections_;

    //- Those of them that are viewers; the first steers
    std::list<connection*> viewers_;

    //- Buttons that the steering viewer holds down, and where it was last
    unsigned held_ = 0;
    viewEvent last_;

    //- The picture that is or will be encoded
    shownPicture picture_;
    unsigned long frame_ = 0;
    std::shared_ptr<const byteVector> bytes_;
    jpegEncoder encoder_;

    std::mutex mutex_;

        //- The latest picture that the run has shown, and whether it is newer
        //  than picture_
        shownPicture shown_;
        bool fresh_ = false;

        bool ready_ = false;
        eventQueue events_;

    //- Of the run: where it copies the next picture, outside the mutex
    shownPicture spare_;

    std::thread thread_;

    void run();
    void accept();
    void accepted(error_code error, tcp::socket socket);
    bool makeRoom();
    void deliver();
    void end();
};


// * * * * * * * * * * * * * * * * Connection  * * * * * * * * * * * * * * * //

class lbmView::browserDisplay::connection
:
    public std::enable_shared_from_this<connection>
{
    using response = http::response<http::string_body>;

    server& server_;
    const clockType::time_point began_ = clockType::now();

    // As long as it is a request
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    http::request_parser<http::empty_body> parser_;
    response response_;
    std::array<char, 1024> rest_;
    std::size_t restLeft_ = 65536;

    // As a viewer
    std::optional<websocket::stream<beast::tcp_stream>> link_;
    bool open_ = false;
    bool closing_ = false;
    bool writing_ = false;
    bool newRole_ = false;
    std::string role_;

    //- Has drawn all that was sent
    bool ready_ = true;
    unsigned long sent_ = 0;
    std::shared_ptr<const byteVector> sending_;

    void answer(const error_code& error);
    void respond
    (
        http::status status,
        const std::string& text,
        const char* type = "text/plain; charset=utf-8"
    );
    void page(std::string_view host);
    void discard();
    void upgrade();
    void read();
    bool hear(std::string_view message);
    bool hearEvent(viewEvent& event);
    void refuse(websocket::close_code code, const char* why);

public:

    connection(server& owner, tcp::socket&& socket)
    :
        server_(owner),
        stream_(std::move(socket)),
        buffer_(mostHeader + 1024)
    {
        parser_.header_limit(mostHeader);
        parser_.body_limit(65536);
    }

    //- Read and answer the request
    void start();

    bool viewer() const
    {
        return bool(link_);
    }

    clockType::duration age() const
    {
        return clockType::now() - began_;
    }

    bool ready() const
    {
        return open_ && !closing_ && ready_ && !writing_;
    }

    //- Tell the viewer whether it steers
    void setRole()
    {
        newRole_ = true;
        write();
    }

    //- Send what there is to send, if the last has gone
    void write();

    //- Take leave
    void goodbye();

    //- At once
    void cut()
    {
        error_code ignored;
        (link_ ? beast::get_lowest_layer(*link_) : stream_)
            .socket().close(ignored);
    }
};


void lbmView::browserDisplay::connection::start()
{
    stream_.expires_after(seconds(server_.chosen().requestTime));

    http::async_read_header
    (
        stream_,
        buffer_,
        parser_,
        [self = shared_from_this()](error_code error, std::size_t)
        {
            self->answer(error);
        }
    );
}


void lbmView::browserDisplay::connection::answer(const error_code& error)
{
    if
    (
        error == http::error::header_limit
     || error == http::error::buffer_overflow
    )
    {
        return respond
        (
            http::status::request_header_fields_too_large,
            "The request is too long\n"
        );
    }
    if
    (
        error == http::error::end_of_stream
     || error == http::error::partial_message
    )
    {
        return server_.leave(*this);
    }
    if (error.category() == make_error_code(http::error::bad_method).category())
    {
        return respond(http::status::bad_request, "No request\n");
    }
    if (error)
    {
        return server_.leave(*this);
    }

    const auto& request = parser_.get();
    const auto field = [&](http::field name)
    {
        const beast::string_view value = request[name];
        return std::string_view(value.data(), value.size());
    };
    const std::string_view host = field(http::field::host);
    const std::string_view target
    (
        request.target().data(),
        request.target().size()
    );
    const std::string_view path = target.substr(0, target.find('?'));
    const std::string_view query = target.substr(path.size());
    const std::string_view queryName("?token=");

    if
    (
        request.count(http::field::host) != 1
     || !isOwnHost(host, server_.chosen().allowRemote)
    )
    {
        respond
        (
            http::status::forbidden,
            "This page is not known by that name; use the address that the run"
            " has printed\n"
        );
    }
    else if (request.method() != http::verb::get)
    {
        respond(http::status::method_not_allowed, "Only GET\n");
    }
    else if (path != "/" && path != "/view")
    {
        respond(http::status::not_found, "Nothing here\n");
    }
    else if
    (
        query.substr(0, queryName.size()) != queryName
     || !sameToken(query.substr(queryName.size()), server_.token())
    )
    {
        respond
        (
            http::status::forbidden,
            "The token is missing, or that of another run; use the address that"
            " the run has printed\n"
        );
    }
    else if (path == "/")
    {
        page(host);
    }
    else if (!isOwnOrigin(field(http::field::origin), host))
    {
        respond(http::status::forbidden, "Not for the page of another site\n");
    }
    else if (!websocket::is_upgrade(request))
    {
        respond(http::status::upgrade_required, "Only for a WebSocket\n");
    }
    else
    {
        upgrade();
    }
}


void lbmView::browserDisplay::connection::page(std::string_view host)
{
    // Scripts and styles of this answer only
    const std::string nonce = newToken();

    // 'self' holds for WebSockets too, but not in older browsers; addresses in
    // brackets have no form there
    const std::string link =
        host[0] == '[' ? "" : " ws://" + std::string(host);

    std::string text(pageText + 1);
    replaceAll(text, "@NONCE@", nonce);
    replaceAll(text, "@TITLE@", escapedHtml(server_.chosen().title));
    replaceAll(text, "@HELP@", escapedHtml(server_.chosen().help));

    response_.set
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'nonce-" + nonce
      + "'; style-src 'nonce-" + nonce
      + "'; img-src data:; connect-src 'self'" + link
      + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    respond(http::status::ok, text, "text/html; charset=utf-8");
}


void lbmView::browserDisplay::connection::respond
(
    const http::status status,
    const std::string& text,
    const char* type
)
{
    response_.result(status);
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::content_type, type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    if (status == http::status::method_not_allowed)
    {
        response_.set(http::field::allow, "GET");
    }
    if (status == http::status::upgrade_required)
    {
        response_.set(http::field::upgrade, "websocket");
    }
    response_.body() = text;
    response_.prepare_payload();

    stream_.expires_after(seconds(server_.chosen().requestTime));
    http::async_write
    (
        stream_,
        response_,
        [self = shared_from_this()](error_code error, std::size_t)
        {
            if (error)
            {
                return self->server_.leave(*self);
            }
            self->stream_.socket().shutdown(tcp::socket::shutdown_send, error);
            self->stream_.expires_after(seconds(2));
            self->discard();
        }
    );
}


// To close while something is unread would let the system discard the answer
void lbmView::browserDisplay::connection::discard()
{
    stream_.async_read_some
    (
        asio::buffer(rest_),
        [self = shared_from_this()](error_code error, std::size_t n)
        {
            if (error || n > self->restLeft_)
            {
                return self->server_.leave(*self);
            }
            self->restLeft_ -= n;
            self->discard();
        }
    );
}


void lbmView::browserDisplay::connection::upgrade()
{
    link_.emplace(std::move(stream_));

    // The WebSocket keeps its own time
    beast::get_lowest_layer(*link_).expires_never();
    websocket::stream_base::timeout times;
    times.handshake_timeout = seconds(server_.chosen().requestTime);
    times.idle_timeout = seconds(server_.chosen().silentTime);
    times.keep_alive_pings = true;
    link_->set_option(times);
    link_->read_message_max(mostMessage);
    link_->auto_fragment(false);

    error_code ignored;
    beast::get_lowest_layer(*link_).socket()
        .set_option(tcp::no_delay(true), ignored);

    buffer_.consume(buffer_.size());

    link_->async_accept
    (
        parser_.get(),
        [self = shared_from_this()](error_code error)
        {
            if (error)
            {
                return self->server_.leave(*self);
            }
            self->open_ = true;
            self->server_.join(*self);
            self->read();
        }
    );
}


void lbmView::browserDisplay::connection::read()
{
    link_->async_read
    (
        buffer_,
        [self = shared_from_this()](error_code error, std::size_t)
        {
            if (error)
            {
                return self->server_.leave(*self);
            }
            if (self->closing_)
            {
                return;
            }
            if (!self->link_->got_text())
            {
                return self->refuse
                (
                    websocket::close_code::unknown_data,
                    "only text is understood"
                );
            }

            const std::string_view message
            (
                static_cast<const char*>(self->buffer_.data().data()),
                self->buffer_.size()
            );
            const bool understood = self->hear(message);
            self->buffer_.consume(self->buffer_.size());

            if (understood)
            {
                self->read();
            }
            else
            {
                self->refuse
                (
                    websocket::close_code::policy_error,
                    "a message that is not understood"
                );
            }
        }
    );
}


bool lbmView::browserDisplay::connection::hear(std::string_view message)
{
    if (message.substr(0, 4) == "ack ")
    {
        unsigned long frame;
        if
        (
            !readCount(message.substr(4), frame)
         || frame != sent_
         || ready_
        )
        {
            return false;
        }
        ready_ = true;
        write();
        server_.findReady();
        return true;
    }

    viewEvent event;
    return
        readEvent(message, event)
     && event.what != viewEvent::kind::close
     && hearEvent(event);
}


bool lbmView::browserDisplay::connection::hearEvent(viewEvent& event)
{
    // Before the first picture there is nothing to point at
    if
    (
        !server_.steers(*this)
     || (event.what != viewEvent::kind::key && !sent_)
    )
    {
        return true;
    }

    // Inside: the pixel that begins at the last whole number is the last
    const auto inside = [](const double x, const double size)
    {
        return std::min(std::max(x, 0.0), std::nextafter(size, 0.0));
    };
    event.x = inside(event.x, server_.width());
    event.y = inside(event.y, server_.height());
    event.notches = std::min(std::max(event.notches, -100.0), 100.0);

    return server_.push(event);
}


void lbmView::browserDisplay::connection::write()
{
    if (!open_ || closing_ || writing_)
    {
        return;
    }

    asio::const_buffer buffer;
    unsigned long latest = sent_;
    if (newRole_)
    {
        newRole_ = false;
        role_ = server_.steers(*this) ? "steer" : "watch";
        link_->text(true);
        buffer = asio::buffer(role_);
    }
    else if (ready_ && (latest = server_.takeFrame()) != sent_)
    {
        sending_ = server_.frameBytes();
        sent_ = latest;
        ready_ = false;
        link_->binary(true);
        buffer = asio::buffer(*sending_);
    }
    else
    {
        return;
    }

    writing_ = true;
    link_->async_write
    (
        buffer,
        [self = shared_from_this()](error_code error, std::size_t)
        {
            self->writing_ = false;
            self->sending_.reset();
            if (!error)
            {
                self->write();
                self->server_.findReady();
            }
            // Else reading fails too, and takes leave
        }
    );
}


void lbmView::browserDisplay::connection::refuse
(
    const websocket::close_code code,
    const char* why
)
{
    // One that does not answer must not go on steering meanwhile
    closing_ = true;
    server_.stepDown(*this);

    // A reason is at most 123 bytes long
    link_->async_close
    (
        websocket::close_reason(code, why),
        [self = shared_from_this()](error_code)
        {
            self->server_.leave(*self);
        }
    );
}


void lbmView::browserDisplay::connection::goodbye()
{
    if (!open_)
    {
        cut();
    }
    else if (!closing_)
    {
        refuse(websocket::close_code::going_away, "the run has ended");
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

lbmView::browserDisplay::server::server(const options& chosen)
:
    options_(chosen),
    token_(newToken()),
    context_(1),
    acceptor_(context_),
    retry_(context_),
    end_(context_),
    encoder_(chosen.quality)
{
    if (chosen.port < 0 || chosen.port > 65535)
    {
        throw viewError
        (
            "port " + std::to_string(chosen.port) + " is not in 0 to 65535"
        );
    }

    const asio::ip::address address = addressOf(chosen);
    const tcp::endpoint endpoint
    (
        address,
        static_cast<unsigned short>(chosen.port)
    );

    try
    {
        acceptor_.open(endpoint.protocol());
        closeOnExec(acceptor_.native_handle());
        acceptor_.set_option(tcp::acceptor::reuse_address(true));
        acceptor_.bind(endpoint);
        acceptor_.listen(64);
    }
    catch (const boost::system::system_error& error)
    {
        throw viewError
        (
            "cannot serve at " + address.to_string() + ", port "
          + std::to_string(chosen.port) + ": " + error.code().message()
        );
    }

    std::string name = address.to_string();
    if (address.is_unspecified())
    {
        char own[256] = "";
        ::gethostname(own, sizeof(own) - 1);
        name = own;
    }
    else if (address.is_v6())
    {
        name = '[' + name + ']';
    }
    where_ = "http://" + name + ':'
      + std::to_string(acceptor_.local_endpoint().port())
      + "/?token=" + token_;

    accept();

    // Signals are the run's: a thread has the mask of the one that starts it
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    try
    {
        thread_ = std::thread([this]() { run(); });
    }
    catch (const std::system_error& error)
    {
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw viewError(std::string("no thread: ") + error.what());
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}


lbmView::browserDisplay::server::~server()
{
    asio::post(context_, [this]() { end(); });
    thread_.join();
    connections_.clear();
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void lbmView::browserDisplay::server::run()
{
    // The run may trap floating point exceptions; here, none is its concern
    ::fedisableexcept(FE_ALL_EXCEPT);

    // Out of memory, say: what it happened to is lost, the others go on
    for (int failures = 0; failures < 1000; ++failures)
    {
        try
        {
            context_.run();
            return;
        }
        catch (...)
        {}
    }
}


void lbmView::browserDisplay::server::accept()
{
    acceptor_.async_accept
    (
        [this](error_code error, tcp::socket socket)
        {
            accepted(error, std::move(socket));
        }
    );
}


void lbmView::browserDisplay::server::accepted
(
    const error_code error,
    tcp::socket socket
)
{
    if (ending_)
    {
        return;
    }

    if (error)
    {
        // Too many open files, say. At once it would fail again.
        retry_.expires_after(std::chrono::milliseconds(200));
        retry_.async_wait
        (
            [this](error_code cancelled)
            {
                if (!cancelled && !ending_) accept();
            }
        );
        return;
    }

    // First, as nothing below must keep others from coming
    accept();

    closeOnExec(socket.native_handle());

    if (connections_.size() >= mostConnections && !makeRoom())
    {
        error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some
        (
            asio::buffer
            (
                std::string_view
                (
                    "HTTP/1.1 503 Service Unavailable\r\n"
                    "Content-Length: 0\r\nConnection: close\r\n\r\n"
                )
            ),
            ignored
        );
        socket.shutdown(tcp::socket::shutdown_both, ignored);
        return;
    }

    connections_.push_back
    (
        std::make_shared<connection>(*this, std::move(socket))
    );
    connections_.back()->start();
}


// Connections that say nothing must not keep viewers out until their time has
// passed
bool lbmView::browserDisplay::server::makeRoom()
{
    for (const auto& c : connections_)
    {
        if (!c->viewer() && c->age() > std::chrono::seconds(1))
        {
            const std::shared_ptr<connection> oldest = c;
            oldest->cut();
            leave(*oldest);
            return true;
        }
    }
    return false;
}


void lbmView::browserDisplay::server::end()
{
    ending_ = true;

    error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();

    // Those that do not answer are cut
    end_.expires_after(std::chrono::milliseconds(300));
    end_.async_wait([this](error_code) { context_.stop(); });

    const auto connections = connections_;
    for (const auto& c : connections)
    {
        c->goodbye();
    }
    if (connections_.empty())
    {
        end_.cancel();
    }
}


void lbmView::browserDisplay::server::deliver()
{
    for (connection* viewer : viewers_)
    {
        viewer->write();
    }
    findReady();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void lbmView::browserDisplay::server::show
(
    const viewPicture& picture,
    const long step,
    const double time
)
{
    static_cast<viewPicture&>(spare_) = picture;
    spare_.step = step;
    spare_.time = time;

    bool tell;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::swap(spare_, shown_);
        tell = !fresh_;
        fresh_ = true;
        ready_ = false;
    }
    if (tell)
    {
        asio::post(context_, [this]() { deliver(); });
    }
}


unsigned long lbmView::browserDisplay::server::takeFrame()
{
    const std::lock_guard<std::mutex> lock(mutex_);
    if (fresh_)
    {
        std::swap(shown_, picture_);
        fresh_ = false;
        ++frame_;
        bytes_.reset();
    }
    return frame_;
}


std::shared_ptr<const byteVector> lbmView::browserDisplay::server::frameBytes()
{
    if (!bytes_)
    {
        auto bytes = std::make_shared<byteVector>();
        append(*bytes, static_cast<double>(frame_));
        append(*bytes, static_cast<double>(picture_.step));
        append(*bytes, picture_.time);
        append(*bytes, picture_.width);
        append(*bytes, picture_.height);
        encoder_.encode(picture_, *bytes);
        bytes_ = std::move(bytes);
    }
    return bytes_;
}


void lbmView::browserDisplay::server::findReady()
{
    const bool ready = std::any_of
    (
        viewers_.begin(),
        viewers_.end(),
        [](const connection* viewer) { return viewer->ready(); }
    );

    // Who is ready now is served with a fresh picture first
    const std::lock_guard<std::mutex> lock(mutex_);
    ready_ = ready && !fresh_;
}


void lbmView::browserDisplay::server::join(connection& viewer)
{
    viewers_.push_back(&viewer);
    viewer.setRole();
    findReady();
}


void lbmView::browserDisplay::server::stepDown(const connection& viewer)
{
    const bool steered = steers(viewer);
    viewers_.remove_if([&](const connection* v) { return v == &viewer; });

    if (steered)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        last_.what = viewEvent::kind::release;
        for (int button = 1; button <= 3; ++button)
        {
            if (held_ >> button & 1)
            {
                last_.button = button;
                events_.force(last_);
            }
        }
        held_ = 0;
    }
    if (steered && !viewers_.empty())
    {
        viewers_.front()->setRole();
    }
    findReady();
}


void lbmView::browserDisplay::server::leave(const connection& leaving)
{
    stepDown(leaving);
    connections_.remove_if
    (
        [&](const std::shared_ptr<connection>& c)
        {
            return c.get() == &leaving;
        }
    );

    if (ending_ && connections_.empty())
    {
        end_.cancel();
    }
}


bool lbmView::browserDisplay::server::push(const viewEvent& event)
{
    // A button that is down cannot go down, and so on
    const unsigned bit = 1u << event.button;
    if
    (
        (event.what == viewEvent::kind::press && (held_ & bit))
     || (event.what == viewEvent::kind::release && !(held_ & bit))
    )
    {
        return true;
    }

    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!events_.push(event))
        {
            return false;
        }
    }

    if (event.what == viewEvent::kind::press)
    {
        held_ |= bit;
    }
    else if (event.what == viewEvent::kind::release)
    {
        held_ &= ~bit;
    }
    if (event.what != viewEvent::kind::key)
    {
        last_ = event;
        last_.notches = 0;
    }
    return true;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

lbmView::browserDisplay::browserDisplay(const options& chosen)
:
    server_(std::make_unique<server>(chosen))
{}


lbmView::browserDisplay::~browserDisplay() = default;


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool lbmView::browserDisplay::wanted()
{
    return server_->wanted();
}


void lbmView::browserDisplay::show
(
    const viewPicture& picture,
    const long step,
    const double time
)
{
    if
    (
        picture.width < 1 || picture.height < 1
     || picture.rgb.size()
     != 3*static_cast<std::size_t>(picture.width)*picture.height
    )
    {
        throw viewError("a picture has not the size that it says");
    }
    server_->show(picture, step, time);
}


std::vector<lbmView::viewEvent> lbmView::browserDisplay::events()
{
    return server_->events();
}


std::string lbmView::browserDisplay::where() const
{
    return server_->where();
}


// ************************************************************************* //
