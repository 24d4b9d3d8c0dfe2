internal import CCurl

/// libcurl's multi handle and the transfers it runs.
///
/// Belongs to the curl thread, which makes it, calls it and lets it go. libcurl finds a transfer's
/// object again by CURLOPT_PRIVATE, so nothing is searched when events come in (row F27).
final class CurlEngine {
    /// Easy handles kept for the next transfer; each has a buffer of 64 KiB.
    private static let spareLimit = 16

    private static let outOfMemory = CurlFailure.error(code: Int(CURLE_OUT_OF_MEMORY.rawValue))

    private let configuration: CurlTransportConfiguration
    private let functions: CurlFunctions
    private let multi: UnsafeMutableRawPointer
    /// Keeps each transfer alive while libcurl holds a pointer to it.
    private var live: [TransferID: CurlTransfer] = [:]
    private var spares: [CurlEasy] = []

    /// Nil if libcurl can't be loaded.
    init?(_ configuration: CurlTransportConfiguration) {
        guard let functions = CurlFunctions(),
            let multi = functions.table.pointee.multi_init()
        else { return nil }
        self.configuration = configuration
        self.functions = functions
        self.multi = multi
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        set(CURLMOPT_MAXCONNECTS, max(1, configuration.maximumIdleConnections))
    }

    deinit {
        spares = []
        _ = functions.table.pointee.multi_cleanup(multi)
    }

    // MARK: Commands

    /// Hands a transfer to libcurl, which begins it in the next `advance`.
    func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        guard let easy = spares.popLast() ?? CurlEasy(functions, configuration) else {
            return onEvent(.finished(Self.outOfMemory))
        }
        let transfer = CurlTransfer(request, easy: easy, onEvent: onEvent)
        easy.prepare(for: request, context: transfer.context)
        live[request.id] = transfer
        guard functions.table.pointee.multi_add_handle(multi, easy.handle) == CURLM_OK else {
            live[request.id] = nil
            return transfer.finish(Self.outOfMemory)
        }
    }

    /// Takes a transfer out: closes its connection over HTTP/1.1, resets its stream over HTTP/2.
    func cancel(_ id: TransferID) {
        guard let transfer = live[id] else { return }
        release(transfer)
    }

    /// Ends everything that still runs.
    func cancelAll() {
        for transfer in live.values {
            release(transfer)
            transfer.finish(.cancelled)
        }
    }

    // MARK: Work

    /// Moves bytes, without waiting, and ends what is done.
    func advance() {
        guard !live.isEmpty else { return }
        var running: Int32 = 0
        let status = functions.table.pointee.multi_perform(multi, &running)
        guard status == CURLM_OK else { return failAll() }
        var left: Int32 = 0
        while let message = functions.table.pointee.multi_info_read(multi, &left) {
            guard ccurl_message_is_done(message) else { continue }
            end(message.pointee.easy_handle, ccurl_message_result(message))
        }
    }

    /// Sleeps until a socket, one of curl's timers or the bell has something.
    ///
    /// Without a timeout of ours: with nothing live, curl has no timers and the thread sleeps on.
    func wait(for bell: Int32) {
        var extra = curl_waitfd(fd: bell, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let status = functions.table.pointee.multi_poll(multi, &extra, 1, .max, nil)
        if status != CURLM_OK { failAll() }
    }

    private func end(_ handle: UnsafeMutableRawPointer?, _ code: CURLcode) {
        guard let handle, let context = ccurl_get_private(functions.table, handle) else { return }
        let transfer = CurlTransfer.at(context)
        let error = transfer.error(for: code)
        release(transfer)
        transfer.finish(error)
    }

    private func release(_ transfer: CurlTransfer) {
        _ = functions.table.pointee.multi_remove_handle(multi, transfer.easy.handle)
        live[transfer.request.id] = nil
        if spares.count < Self.spareLimit { spares.append(transfer.easy) }
    }

    /// The multi handle is broken, which only lack of memory does to it.
    private func failAll() {
        for transfer in live.values {
            release(transfer)
            transfer.finish(Self.outOfMemory)
        }
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        ccurl_multi_set_long(functions.table, multi, option, value)
    }
}
