package dev.kudu4j.server.transport;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;

/**
 * A message on its way out.
 *
 * <pre>
 *   length 4 | kind 1 | call 8 | body
 * </pre>
 *
 * <p>The length counts what follows it. An answer has the request's kind with the top bit set, and
 * its call.
 *
 * @param kind the byte on the wire
 */
record Frame(int kind, long call, MessageLite body) {
  static final int HEAD_BYTES = 1 + Long.BYTES;
  static final int ANSWER = 0x80;

  /** The longest frame before both ends know each other. */
  static final int GREETING_BYTES = 256;

  static Frame request(MessageKind kind, long call, MessageLite body) {
    return new Frame(kind.code(), call, body);
  }

  static Frame answer(MessageKind kind, long call, MessageLite body) {
    return new Frame(kind.code() | ANSWER, call, body);
  }

  /** All of it, with the length. */
  int bytes() {
    return Integer.BYTES + HEAD_BYTES + body.getSerializedSize();
  }

  /** Appends it; the body's bytes are copied here and nowhere else. */
  void writeTo(ByteBuf out) {
    int length = body.getSerializedSize();
    out.writeInt(HEAD_BYTES + length).writeByte(kind).writeLong(call);
    ByteBuffer target = out.nioBuffer(out.writerIndex(), length);
    CodedOutputStream stream = CodedOutputStream.newInstance(target);
    try {
      body.writeTo(stream);
      stream.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("A message did not fit the size that it gave", e);
    }
    out.writerIndex(out.writerIndex() + length);
  }

  /** The body of a frame that came, whose head has been read; byte strings alias its array. */
  static CodedInputStream body(ByteBuf frame) {
    CodedInputStream input =
        CodedInputStream.newInstance(
            frame.array(), frame.arrayOffset() + frame.readerIndex(), frame.readableBytes());
    input.enableAliasing(true);
    return input;
  }
}
