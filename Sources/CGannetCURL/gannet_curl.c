#if WITH_HTTP
#define _GNU_SOURCE
#if !__has_include(<curl/curl.h>)
#error "install libcurl4-openssl-dev"
#endif
#include "gannet_curl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct gannet_curl_calls calls;

// A function of OpenSSL, which libcurl loads. Programs do not link OpenSSL themselves, because libcurl may use another library.
typedef void (*heard_alert)(const void *session, int where, int alert);
static void (*hear_alerts)(void *context, heard_alert);

// Read by threads that are inside of libcurl, written by the end of the process.
static pthread_rwlock_t inside;

// Runs before OpenSSL frees what it shares, because libcurl has registered that earlier. A thread that is about to enter libcurl from
// now on waits for the end of the process; one that does not leave it in time is not waited for.
static void leave(void) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 200 * 1000 * 1000;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    pthread_rwlock_timedwrlock(&inside, &limit);
}

static bool is_openssl;

bool gannet_curl_start(const struct gannet_curl_calls *given) {
    calls = *given;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&inside, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    if (curl_global_init(CURL_GLOBAL_DEFAULT)) return false;
    atexit(leave);
    const char *tls = curl_version_info(CURLVERSION_NOW)->ssl_version;
    is_openssl = tls && !strncmp(tls, "OpenSSL/", strlen("OpenSSL/"));
    if (is_openssl) {
        // The library that libcurl has loaded, and no other of the program's.
        void *library = dlopen(tls[strlen("OpenSSL/")] == '1' ? "libssl.so.1.1" : "libssl.so.3", RTLD_LAZY | RTLD_NOLOAD);
        if (library) *(void **)&hear_alerts = dlsym(library, "SSL_CTX_set_info_callback");
    }
    return true;
}

static _Thread_local void *current;

void gannet_curl_enter(void *thread) {
    current = thread;
    pthread_rwlock_rdlock(&inside);
}

void gannet_curl_leave(void) { pthread_rwlock_unlock(&inside); }

static void alerted(const void *session, int where, int alert) {
    // SSL_CB_READ_ALERT, and of the two bytes of an alert the second one: SSL_AD_CLOSE_NOTIFY.
    if (where == 0x4004 && !(alert & 0xff) && current) calls.closedProperly(current, session);
}

static CURLcode secured(CURL *handle, void *context, void *data) {
    (void)handle, (void)data;
    hear_alerts(context, alerted);
    return CURLE_OK;
}

const void *gannet_curl_session(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (!hear_alerts || curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) || !info) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

static int rewound(void *context, curl_off_t offset, int origin) {
    if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_CANTSEEK;
    calls.rewind(context, (size_t)offset);
    return CURL_SEEKFUNC_OK;
}

static int connected(void *context, char *address, char *own, int port, int own_port) {
    (void)own;
    return calls.mayAsk(context, address, port, own_port) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static int closed(void *context, curl_socket_t socket) {
    calls.closed(context, socket);
    return 0;
}

static curl_socket_t opened(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    return calls.open(context, address, &address->addr);
}

// The port, and the address as libcurl writes it; -1: it has none.
static int place_of(const struct sockaddr_storage *place, char *text, socklen_t size) {
    const void *address;
    int port;
    if (place->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)place;
        address = &four->sin_addr, port = ntohs(four->sin_port);
    } else if (place->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)place;
        address = &six->sin6_addr, port = ntohs(six->sin6_port);
    } else {
        return -1;
    }
    return inet_ntop(place->ss_family, address, text, size) ? port : -1;
}

bool gannet_curl_joins(int descriptor, const char *address, int port, int own_port) {
    struct sockaddr_storage place;
    char text[INET6_ADDRSTRLEN];
    socklen_t size = sizeof place;
    if (getsockname(descriptor, (struct sockaddr *)&place, &size) || place_of(&place, text, sizeof text) != own_port) return false;
    size = sizeof place;
    if (getpeername(descriptor, (struct sockaddr *)&place, &size) || place_of(&place, text, sizeof text) != port) return false;
    return !strcmp(text, address);
}

int gannet_curl_socket(const struct curl_sockaddr *address, unsigned int unconfirmed_milliseconds) {
    int type = address->socktype | SOCK_CLOEXEC;
    int descriptor = socket(address->family, type, address->protocol);
    if (descriptor >= 0 && address->socktype == SOCK_STREAM) {
        setsockopt(
            descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &unconfirmed_milliseconds, sizeof unconfirmed_milliseconds);
    }
    return descriptor;
}

const char *gannet_curl_root_file(void) { return curl_version_info(CURLVERSION_NOW)->cainfo; }

int gannet_curl_memory_file(const void *bytes, size_t count) {
    int descriptor = memfd_create("gannet-roots", MFD_CLOEXEC);
    size_t done = 0;
    while (descriptor >= 0 && done < count) {
        ssize_t put = write(descriptor, (const char *)bytes + done, count - done);
        if (put <= 0) {
            close(descriptor);
            return -1;
        }
        done += (size_t)put;
    }
    return descriptor;
}

void gannet_curl_set_up(CURL *handle, void *context, void *connections, char *errors) {
    curl_easy_setopt(handle, CURLOPT_PRIVATE, context);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, errors);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, calls.line);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, calls.body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, calls.upload);
    curl_easy_setopt(handle, CURLOPT_READDATA, context);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, rewound);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, context);
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, connected);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opened);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, closed);
    curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, connections);

    if (hear_alerts) curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, secured);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    // A question to a name server that does not answer is left behind: waiting for its thread would stop every transfer.
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_HTTP09_ALLOWED, 0L);
    // Content codings are ours, and up to 8.6 this also lets transfer codings with invented names pass, which encode nothing.
    curl_easy_setopt(handle, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, CURLAUTH_NONE);
    curl_easy_setopt(handle, CURLOPT_PROXYAUTH, CURLAUTH_BASIC);
    curl_easy_setopt(handle, CURLOPT_SOCKS5_AUTH, CURLAUTH_BASIC);
    curl_easy_setopt(handle, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(handle, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "");
    curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 128L << 10);
    curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 64L << 10);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(handle, CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}

void *gannet_curl_context(CURL *handle) {
    char *context = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context);
    return context;
}

CURLcode gannet_curl_connect(
    CURL *handle, const char *url, const char *target, struct gannet_curl_connection connection, const char *keys,
    const char *roots) {
    // If libcurl does not know an option for checks, the call fails, so that no check is skipped silently.
    CURLcode code = curl_easy_setopt(handle, CURLOPT_URL, url);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_REQUEST_TARGET, target);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, connection.trusts_anyone ? 0L : 1L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, connection.trusts_anyone ? 0L : 2L);
    if (!code && keys) code = curl_easy_setopt(handle, CURLOPT_PINNEDPUBLICKEY, keys);
    if (!code && roots) {
        code = curl_easy_setopt(handle, CURLOPT_CAINFO, roots);
        if (!code) code = curl_easy_setopt(handle, CURLOPT_PROXY_CAINFO, roots);
        // libcurl keeps certificates that it has read, 50 ms of work, only if they are those of one file.
        curl_easy_setopt(handle, CURLOPT_CAPATH, NULL);
        curl_easy_setopt(handle, CURLOPT_PROXY_CAPATH, NULL);
    }
    if (!keys) curl_easy_setopt(handle, CURLOPT_PINNEDPUBLICKEY, NULL);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connection.connect_milliseconds);
    curl_easy_setopt(handle, CURLOPT_MAXAGE_CONN, connection.idle_seconds);
    curl_easy_setopt(handle, CURLOPT_DNS_CACHE_TIMEOUT, connection.names_seconds);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, connection.version);
    // One question whether the server speaks HTTP/2 is enough; plain HTTP never does.
    curl_easy_setopt(handle, CURLOPT_PIPEWAIT, (long)(connection.version >= CURL_HTTP_VERSION_2_0));
    curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, connection.is_fresh ? 1L : 0L);
    curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, connection.idle_seconds ? 0L : 1L);
    return code;
}

CURLcode gannet_curl_proxy(
    CURL *handle, const char *proxy, const char *user, const char *password, const struct curl_slist *fields) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PROXY, proxy);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_PROXYUSERNAME, user);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_PROXYPASSWORD, password);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_PROXYHEADER, fields);
    return code;
}

void gannet_curl_request(CURL *handle, const char *method, const struct curl_slist *fields, curl_off_t size) {
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, NULL);
    if (size >= 0) {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 0L);
        curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, size);
    } else {
        curl_easy_setopt(handle, CURLOPT_UPLOAD, 0L);
        if (!strcmp(method, "HEAD")) {
            curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
            return;
        }
        curl_easy_setopt(handle, CURLOPT_NOBODY, 0L);
        curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
        if (!strcmp(method, "GET")) return;
    }
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
}

void gannet_curl_forget_connection(CURL *handle) { curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L); }

struct gannet_curl_times gannet_curl_times(CURL *handle) {
    struct gannet_curl_times times = {0, 0, 0};
    curl_easy_getinfo(handle, CURLINFO_NAMELOOKUP_TIME_T, &times.name);
    curl_easy_getinfo(handle, CURLINFO_CONNECT_TIME_T, &times.connect);
    curl_easy_getinfo(handle, CURLINFO_APPCONNECT_TIME_T, &times.tls);
    return times;
}

static long number(CURL *handle, CURLINFO name) {
    long value = 0;
    curl_easy_getinfo(handle, name, &value);
    return value;
}

long gannet_curl_connections(CURL *handle) { return number(handle, CURLINFO_NUM_CONNECTS); }
long gannet_curl_connect_status(CURL *handle) { return number(handle, CURLINFO_HTTP_CONNECTCODE); }

long gannet_curl_certificate_fault(CURL *handle) {
    if (!is_openssl) return 0;
    long fault = number(handle, CURLINFO_SSL_VERIFYRESULT);
    return fault > 1 ? fault : number(handle, CURLINFO_PROXY_SSL_VERIFYRESULT);
}

bool gannet_curl_is_at_least(int major, int minor) {
    return curl_version_info(CURLVERSION_NOW)->version_num >= (unsigned int)(major << 16 | minor << 8);
}

bool gannet_curl_has_http3(void) { return curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP3; }

CURLM *gannet_curl_multi(long per_host, long kept) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, kept);
    return multi;
}
#endif
