"""The file store: WebDAV (RFC 4918, class 1) under the paths, the error bodies and the properties of ownCloud 10.

**Addresses.** `/remote.php/dav/files/<user>/...` and the older `/remote.php/webdav/...` lead to the tree of the user
who signed in by HTTP Basic. Under another user's name there is nothing to see (404) and nowhere to write (403). The
addresses of web pages (`/`, `/index.php/...`, `/login`, `/apps/...`) answer GET with an HTML log-in page and status
200, all other addresses with 404; what is no GET or HEAD gets 405 at either.

**Methods.** OPTIONS, GET (one byte range), HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND and PROPPATCH, with If-Match,
If-None-Match, If-Modified-Since, If-Unmodified-Since and If-Range. As in ownCloud, a PROPFIND without a Depth has Depth
1, GET of a folder answers 200 with a sentence that is nobody's file, a change shows in the ETag and the time of every
folder above it, and `X-OC-Mtime` sets the time of what is uploaded.

**Properties.** `DAV:` creationdate, getcontentlength, getcontenttype, getetag, getlastmodified, resourcetype,
quota-used-bytes, quota-available-bytes; `http://owncloud.org/ns` id, fileid, permissions, size.

**Left out.** Locks (405, and no class 2 in the DAV header), the If header (412: what cannot be checked must not pass),
dead properties (PROPPATCH answers 403 for every property), Depth infinity in PROPFIND (403 with
`propfind-finite-depth`; ownCloud's own refusal is a 412), MKCOL with a body (415), several ranges in one GET (the whole
file), listings of `/remote.php/dav` itself (405), shares, versions, the trash bin, tags, chunked uploads, checksums,
REPORT and SEARCH, and everything outside WebDAV.

An env calls `reading` and `writing` directly; `api.FilesService` puts the same functions behind HTTP; `seeding.tables`
makes the store's tables.
"""
