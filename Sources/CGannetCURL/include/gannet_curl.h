// What Swift cannot say to libcurl: calls with a variable number of arguments, and macros.
#ifndef GANNET_CURL_H
#define GANNET_CURL_H
#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// Called on the thread that drives the transfer, with the context of its handle. Bytes and addresses are valid during the call.
struct gannet_curl_calls {
    /// One line of a head or of trailers. Returns `size`, or 0 to end the transfer.
    size_t (*line)(char *bytes, size_t one, size_t size, void *context);
    /// A piece of the body. Returns `size`, `CURL_WRITEFUNC_PAUSE`, or 0 to end the transfer.
    size_t (*body)(char *bytes, size_t one, size_t size, void *context);
    /// Fills `bytes` with the next piece of the request's body. Returns the count; 0 at the end.
    size_t (*upload)(char *bytes, size_t one, size_t size, void *context);
    /// Continues the request's body at `offset`.
    void (*rewind)(void *context, size_t offset);
    /// There is a connection, between these places, and the request would go out now. False: it does not.
    bool (*mayAsk)(void *context, const char *address, int port, int own_port);
    /// Closes a socket, with the context of connections.
    void (*closed)(void *context, int socket);
    /// A socket for this address, or -1. `target` is the address in it.
    int (*open)(void *context, const struct curl_sockaddr *address, const struct sockaddr *target);
    /// The other side has ended this session of TLS as it should. `thread` is that of `gannet_curl_enter`.
    void (*closedProperly)(void *thread, const void *session);
};

/// Once, before everything else. `calls` is copied. False: libcurl cannot be used.
bool gannet_curl_start(const struct gannet_curl_calls *calls);

/// Switches off in a new handle what is ours: redirects, cookies, credentials, other protocols, signals. `errors` has
/// `CURL_ERROR_SIZE` bytes; it and `context` outlive the handle, and `connections` the set of transfers.
void gannet_curl_set_up(CURL *handle, void *context, void *connections, char *errors);

/// The calling thread is about to drive transfers; `thread` is what `closedProperly` gets. Does not return once the process ends.
void gannet_curl_enter(void *thread);
/// It only waits for sockets now, or is done.
void gannet_curl_leave(void);

/// The TLS session of a running transfer, as `closedProperly` names it; NULL without TLS, and if libcurl does not use OpenSSL.
const void *gannet_curl_session(CURL *handle);

/// A socket for this address, -1 if the system has none. A peer that confirms nothing for so long is gone: after sleep, or behind a
/// router that forgot the connection.
int gannet_curl_socket(const struct curl_sockaddr *address, unsigned int unconfirmed_milliseconds);

/// Whether a socket joins this port of ours with this place.
bool gannet_curl_joins(int socket, const char *address, int port, int own_port);

/// The system's certificates for this libcurl; NULL: it has no file of them.
const char *gannet_curl_root_file(void);

/// A file in memory, without a name. -1: the system has no room.
int gannet_curl_memory_file(const void *bytes, size_t count);

/// Whether the library that runs is this version or a later one.
bool gannet_curl_is_at_least(int major, int minor);

/// The context of a handle.
void *gannet_curl_context(CURL *handle);

struct gannet_curl_connection {
    /// Of the connection, TLS included.
    long connect_milliseconds;
    /// 0: it is not used again.
    long idle_seconds;
    /// How long the addresses of a name are used.
    long names_seconds;
    /// `CURL_HTTP_VERSION_…`
    long version;
    bool trusts_anyone;
    /// A new connection, which no earlier request used.
    bool is_fresh;
};

/// Where the next request of the handle goes. Strings are copied. `target`: of the request; NULL: that of `url`. `keys`: pinned public keys as libcurl has them, or NULL.
/// `roots`: a file of all that is trusted; NULL: what libcurl trusts. Returns why the request must not be sent so.
CURLcode gannet_curl_connect(
    CURL *handle, const char *url, const char *target, struct gannet_curl_connection connection, const char *keys,
    const char *roots);

/// The proxy of the next request: "" for none. `fields` are for the proxy alone, and outlive the request. As above.
CURLcode gannet_curl_proxy(
    CURL *handle, const char *proxy, const char *user, const char *password, const struct curl_slist *fields);

/// The next request. `fields` outlive it. `size`: of its body, -1 for none.
void gannet_curl_request(CURL *handle, const char *method, const struct curl_slist *fields, curl_off_t size);

/// The connection is not used again.
void gannet_curl_forget_connection(CURL *handle);

/// Microseconds since the transfer began: name known, connected, TLS ready; 0 for what was not needed.
struct gannet_curl_times { curl_off_t name, connect, tls; };
struct gannet_curl_times gannet_curl_times(CURL *handle);

/// New connections that the transfer has made.
long gannet_curl_connections(CURL *handle);
/// The status with which a proxy answered CONNECT; 0: none.
long gannet_curl_connect_status(CURL *handle);
/// Why a certificate was refused: `X509_V_ERR_…` of OpenSSL. 0: it was not, or libcurl uses another library.
long gannet_curl_certificate_fault(CURL *handle);

/// Whether the library speaks HTTP/3.
bool gannet_curl_has_http3(void);

/// A set of transfers. `per_host`: most connections to one host. NULL: no memory.
CURLM *gannet_curl_multi(long per_host, long kept);
#endif
#endif
