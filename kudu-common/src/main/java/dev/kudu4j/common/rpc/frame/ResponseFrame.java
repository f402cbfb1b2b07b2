package dev.kudu4j.common.rpc.frame;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.common.proto.rpc.ResponseHeader;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * A parsed frame from a server. The message is a copy on the heap, the sidecars are slices of the
 * frame.
 *
 * @param body the message, followed by the sidecars
 */
public record ResponseFrame(ResponseHeader header, ByteString message, ByteBuf body) {

  /**
   * Parses a frame. Borrows the frame; the slices are valid until the frame is released, unless
   * they are retained.
   */
  public static ResponseFrame read(ByteBuf frame) {
    ByteString headerBytes = copy(frame, FrameReader.readLength(frame, "header"));
    ResponseHeader header = FrameReader.parseHeader(headerBytes, ResponseHeader.parser());
    int bodyBytes = FrameReader.readBodyLength(frame);
    int messageLength = FrameReader.messageLength(header.getSidecarOffsetsList(), bodyBytes);
    ByteBuf body = frame.slice();
    return new ResponseFrame(header, copy(frame, messageLength), body);
  }

  private static ByteString copy(ByteBuf frame, int length) {
    byte[] bytes = new byte[length];
    frame.readBytes(bytes);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** The sidecars as slices. Each holds a reference to the frame, which the caller must release. */
  public List<ByteBuf> retainedSidecars() {
    List<Integer> offsets = header.getSidecarOffsetsList();
    if (offsets.isEmpty()) {
      return List.of();
    }
    int end = body.writerIndex();
    List<ByteBuf> sidecars = new ArrayList<>(offsets.size());
    for (int i = 0; i < offsets.size(); i++) {
      int start = offsets.get(i);
      sidecars.add(body.retainedSlice(start, FrameReader.sidecarEnd(offsets, i, end) - start));
    }
    return List.copyOf(sidecars);
  }
}
