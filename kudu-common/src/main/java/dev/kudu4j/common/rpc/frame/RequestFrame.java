package dev.kudu4j.common.rpc.frame;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * A parsed frame from a client. Nothing is copied: message and sidecars alias the frame's heap
 * array, which is not shared with other frames.
 *
 * @param frameBytes length of the whole frame; retaining any part of it retains all of it
 */
public record RequestFrame(
    RequestHeader header, ByteString message, List<ByteString> sidecars, int frameBytes) {

  /**
   * Parses a frame of {@link FrameDecoder#forServer}. Borrows the buffer, but retains its array.
   */
  public static RequestFrame read(ByteBuf frame) {
    int frameBytes = frame.readableBytes();
    ByteString headerBytes = take(frame, FrameReader.readLength(frame, "header"));
    RequestHeader header = FrameReader.parseHeader(headerBytes, RequestHeader.parser());
    ByteString body = take(frame, FrameReader.readBodyLength(frame));
    List<Integer> offsets = header.getSidecarOffsetsList();
    int messageLength = FrameReader.messageLength(offsets, body.size());
    return new RequestFrame(
        header, body.substring(0, messageLength), sidecars(offsets, body), frameBytes);
  }

  private static ByteString take(ByteBuf frame, int length) {
    int start = frame.arrayOffset() + frame.readerIndex();
    frame.skipBytes(length);
    return UnsafeByteOperations.unsafeWrap(frame.array(), start, length);
  }

  private static List<ByteString> sidecars(List<Integer> offsets, ByteString body) {
    if (offsets.isEmpty()) {
      return List.of();
    }
    List<ByteString> sidecars = new ArrayList<>(offsets.size());
    for (int i = 0; i < offsets.size(); i++) {
      sidecars.add(body.substring(offsets.get(i), FrameReader.sidecarEnd(offsets, i, body.size())));
    }
    return List.copyOf(sidecars);
  }
}
