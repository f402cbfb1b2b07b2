/**
 * Frames: the encoding of one message on the wire, independent of its meaning.
 *
 * <pre>
 *   total length   u32 big-endian, counts everything after itself
 *   header length  varint
 *   header         RequestHeader or ResponseHeader
 *   body length    varint, counts the message and the sidecars
 *   message        protobuf
 *   sidecars       raw bytes, back to back; the header lists where each starts, counted from the message
 * </pre>
 *
 * <p>{@link dev.kudu4j.common.rpc.frame.FrameDecoder} splits the byte stream, {@link
 * dev.kudu4j.common.rpc.frame.RequestFrame} and {@link dev.kudu4j.common.rpc.frame.ResponseFrame}
 * parse a frame, {@link dev.kudu4j.common.rpc.frame.FrameWriter} writes one. This package does not
 * depend on connections or calls.
 */
@NullMarked
package dev.kudu4j.common.rpc.frame;

import org.jspecify.annotations.NullMarked;
