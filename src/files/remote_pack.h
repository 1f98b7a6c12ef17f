/* remote_pack.h - the messages of remote.h as bytes. Unpacking: 0 or -EBADMSG; strings borrow. */
#pragma once
#include "base/pack.h"
#include "files/remote.h"

void remote_pack_request(struct buf *b, const struct remote_request *r);
int remote_unpack_request(struct unpack *u, struct remote_request *ret);
void remote_pack_entry(struct buf *b, const struct wfile_entry *e);
int remote_unpack_entry(struct unpack *u, struct wfile_entry *ret);
void remote_pack_event(struct buf *b, const struct wfile_event *e);
int remote_unpack_event(struct unpack *u, struct wfile_event *ret);
void remote_pack_reply(struct buf *b, const struct remote_reply *r);
int remote_unpack_reply(struct unpack *u, struct remote_reply *ret);
