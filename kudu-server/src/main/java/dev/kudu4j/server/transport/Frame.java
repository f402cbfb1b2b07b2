package dev.kudu4j.server.transport;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;

/**
 * An outgoing message.
 *
 * <pre>
 *   length 4 | kind 1 | call 8 | body
 * </pre>
 *
 * <p>The length counts the bytes after the field {@code length}. A response has the kind of its
 * request with the top bit set, and the same number in the field {@code call}.
 *
 * @param kind the byte on the wire
 */
record Frame(int kind, long call, MessageLite body) {
  static final int HEAD_BYTES = 1 + Long.BYTES;
  static final int ANSWER = 0x80;

  /** The longest frame before the greeting is complete. */
  static final int GREETING_BYTES = 256;

  static Frame request(MessageKind kind, long call, MessageLite body) {
    return new Frame(kind.code(), call, body);
  }

  static Frame answer(MessageKind kind, long call, MessageLite body) {
    return new Frame(kind.code() | ANSWER, call, body);
  }

  /** Size of the whole frame, including the length field. */
  int bytes() {
    return Integer.BYTES + HEAD_BYTES + body.getSerializedSize();
  }

  /** Appends the frame to {@code out}. The bytes of the body are copied only here. */
  void writeTo(ByteBuf out) {
    int length = body.getSerializedSize();
    out.writeInt(HEAD_BYTES + length).writeByte(kind).writeLong(call);
    ByteBuffer target = out.nioBuffer(out.writerIndex(), length);
    CodedOutputStream stream = CodedOutputStream.newInstance(target);
    try {
      body.writeTo(stream);
      stream.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("A message is longer than its serialized size", e);
    }
    out.writerIndex(out.writerIndex() + length);
  }

  /**
   * The body of a received frame whose head has been read; byte strings alias the frame's array.
   */
  static CodedInputStream body(ByteBuf frame) {
    CodedInputStream input =
        CodedInputStream.newInstance(
            frame.array(), frame.arrayOffset() + frame.readerIndex(), frame.readableBytes());
    input.enableAliasing(true);
    return input;
  }
}
