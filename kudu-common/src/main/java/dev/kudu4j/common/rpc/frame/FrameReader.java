package dev.kudu4j.common.rpc.frame;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;

/** Functions that request and response frames share. */
public final class FrameReader {
  /** Maximum number of sidecars of a message. */
  public static final int MAX_SIDECARS = 10_000;

  /** Enough for the maximum number of offsets, names and feature flags. */
  static final int MAX_HEADER_BYTES = 128 << 10;

  /** Messages up to this size are parsed without an estimate of their parsed size. */
  private static final int SHORT_MESSAGE_BYTES = 64 << 10;

  private FrameReader() {}

  /**
   * Estimates the memory that a message needs once it is parsed, in addition to its bytes, by
   * counting its elements. Returns 0 if the estimate is small.
   *
   * @param atMost the count stops at this size
   * @throws IOException if the message is malformed
   */
  public static <M extends Message> long parsedBytes(ByteString data, Parser<M> parser, long atMost)
      throws IOException {
    if (data.size() <= SHORT_MESSAGE_BYTES) {
      return 0;
    }
    M empty = parser.parsePartialFrom(ByteString.EMPTY);
    long bytes = MessageWeight.of(data, empty.getDescriptorForType(), atMost);
    return bytes <= SHORT_MESSAGE_BYTES ? 0 : bytes;
  }

  /**
   * Parses a message whose {@code bytes} fields alias {@code data}. Does not check required fields:
   * call {@link MessageLite#isInitialized}.
   */
  public static <M extends MessageLite> M parseAliased(ByteString data, Parser<M> parser)
      throws IOException {
    CodedInputStream input = data.newCodedInput();
    input.enableAliasing(true);
    M message = parser.parsePartialFrom(input, ExtensionRegistryLite.getEmptyRegistry());
    input.checkLastTagWas(0);
    return message;
  }

  /** Reads a varint length that must not exceed the rest of {@code frame}. */
  static int readLength(ByteBuf frame, String of) {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (!frame.isReadable()) {
        throw MalformedFrameException.of("frame ends within the length of its %s", of);
      }
      byte next = frame.readByte();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        if (value > frame.readableBytes()) {
          throw MalformedFrameException.of(
              "%s of %d bytes, but the frame has %d bytes left", of, value, frame.readableBytes());
        }
        return (int) value;
      }
    }
    throw MalformedFrameException.of("length of the %s is not a 32-bit varint", of);
  }

  /** Reads the body's length, which must equal the rest of {@code frame}. */
  static int readBodyLength(ByteBuf frame) {
    int length = readLength(frame, "body");
    if (length != frame.readableBytes()) {
      throw MalformedFrameException.of(
          "%d bytes after a body of %d bytes", frame.readableBytes() - length, length);
    }
    return length;
  }

  static <M extends MessageLite> M parseHeader(ByteString bytes, Parser<M> parser) {
    if (bytes.size() > MAX_HEADER_BYTES) {
      throw MalformedFrameException.of(
          "header of %d bytes exceeds the maximum of %d bytes", bytes.size(), MAX_HEADER_BYTES);
    }
    try {
      return parser.parseFrom(bytes, ExtensionRegistryLite.getEmptyRegistry());
    } catch (InvalidProtocolBufferException e) {
      throw MalformedFrameException.because("unreadable header", e);
    }
  }

  /** Validates all offsets and returns the length of the message in a body of {@code bodyBytes}. */
  static int messageLength(List<Integer> sidecarOffsets, int bodyBytes) {
    if (sidecarOffsets.size() > MAX_SIDECARS) {
      throw MalformedFrameException.of("%d sidecars", sidecarOffsets.size());
    }
    int previous = 0;
    for (int offset : sidecarOffsets) {
      if (offset < previous || offset > bodyBytes) {
        throw MalformedFrameException.of(
            "sidecar at offset %d of a body of %d bytes, after an offset of %d",
            Integer.toUnsignedLong(offset), bodyBytes, previous);
      }
      previous = offset;
    }
    return sidecarOffsets.isEmpty() ? bodyBytes : sidecarOffsets.get(0);
  }

  static int sidecarEnd(List<Integer> sidecarOffsets, int index, int bodyBytes) {
    return index + 1 < sidecarOffsets.size() ? sidecarOffsets.get(index + 1) : bodyBytes;
  }
}
