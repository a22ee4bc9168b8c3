"""File store: WebDAV (RFC 4918, classes 1, 2 and 3) with the paths, errors and properties of ownCloud 10.

**Addresses.** `/remote.php/dav/files/<user>/...` and the older `/remote.php/webdav/...` lead to the tree of the user
who signed in by HTTP Basic. Trees of other users cannot be read (404) or written to (403). The addresses of web pages
(`/`, `/index.php/...`, `/login`, `/apps/...`) answer GET with an HTML login page and status 200, all other addresses
with 404; other methods with 405.

**Methods.** OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK and UNLOCK, with WebDAV's If
header. As in ownCloud, a PROPFIND without a Depth has Depth 1, GET of a folder answers 200 with a fixed sentence, a
change updates the ETag and the time of every folder above it, and `X-OC-Mtime` sets the time of an uploaded file.

**Properties.** `DAV:` creationdate, getcontentlength, getcontenttype, getetag, getlastmodified, resourcetype,
quota-used-bytes, quota-available-bytes, lockdiscovery, supportedlock; `http://owncloud.org/ns` fileid, permissions,
size. These cannot be set (403 with `cannot-modify-protected-property`). All others can, in any namespace, with XML as
their values: PROPPATCH makes all of its changes or none, COPY and MOVE copy the properties, and neither ETag nor time
changes with them. Elements, attributes and texts are stored; comments, prefixes and `xml:lang` are not.

**Locks.** Exclusive and shared write locks of Depth 0 or infinity. A PUT, PROPPATCH, DELETE or MOVE of a locked file or
folder, and any request that adds, removes or replaces a member of a locked folder, needs the lock's token in an If
header; otherwise the response is 423, or 207 with the locked members, and nothing is done. With several shared locks
one token is enough. A LOCK of a path where nothing exists creates an empty file; a LOCK without a body refreshes a
lock. A lock ends when its root is moved or deleted; a file that replaces a locked one stays locked. Each tree, with the
tokens in it, belongs to one user.

**Timeouts.** The office's clock advances by a second with each change in the office and does not run otherwise. A lock
of `Second-600` ends after 600 such changes, and never by waiting. Without a Timeout header a lock lasts 1,800 seconds;
the maximum is 86,400, even if the client asks for an infinite lock.

**Scope of locks.** Locks apply to clients over HTTP. The functions of `writing`, and therefore the tools of an agent's
desk, need no token. Locks and dead properties are in tables of their own (`webdav.locks`, `webdav.properties`), which
tasks do not judge.

**Not supported.** Depth infinity in PROPFIND (403 with `propfind-finite-depth`; ownCloud itself answers 412), MKCOL
with a body (415), ranges, If-Match and If-None-Match (ignored), names with a backslash or control characters (400),
listings of `/remote.php/dav` itself, shares, versions, the trash bin, tags, chunked uploads, checksums, REPORT and
SEARCH, and everything outside WebDAV.

An env calls `reading` and `writing` directly; `api.FilesService` serves the same functions over HTTP; `seeding.tables`
creates the store's tables. All raise `errors.FilesError`, which has an HTTP status, for invalid requests.
"""
