package dev.kudu4j.common.rpc.frame;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Writes frames. One buffer contains everything except the sidecars, which follow on the socket
 * without a copy.
 */
public final class FrameWriter {
  private FrameWriter() {}

  /**
   * Computes the offset of each sidecar, for the header.
   *
   * @return total size of all sidecars
   */
  public static long sidecarOffsets(int messageBytes, List<ByteBuf> sidecars, IntConsumer offset) {
    if (sidecars.size() > FrameReader.MAX_SIDECARS) {
      throw new IllegalArgumentException(
          sidecars.size() + " sidecars in one message; at most " + FrameReader.MAX_SIDECARS);
    }
    long position = messageBytes;
    for (ByteBuf sidecar : sidecars) {
      offset.accept((int) position);
      position += sidecar.readableBytes();
    }
    return position - messageBytes;
  }

  /** Length of the frame, excluding its own length field. */
  public static long frameBytes(MessageLite header, MessageLite message, long sidecarBytes) {
    long bodyBytes = message.getSerializedSize() + sidecarBytes;
    return sizeOfDelimited(header.getSerializedSize())
        + CodedOutputStream.computeUInt64SizeNoTag(bodyBytes)
        + bodyBytes;
  }

  /** Writes the part of the frame before the sidecars. The caller owns the buffer. */
  public static ByteBuf write(
      ByteBufAllocator allocator, MessageLite header, MessageLite message, int sidecarBytes) {
    int frameBytes = Math.toIntExact(frameBytes(header, message, sidecarBytes));
    int size = Integer.BYTES + frameBytes - sidecarBytes;
    ByteBuf buffer = allocator.buffer(size, size);
    try {
      buffer.writeInt(frameBytes);
      CodedOutputStream output =
          CodedOutputStream.newInstance(buffer.nioBuffer(Integer.BYTES, size - Integer.BYTES));
      output.writeUInt32NoTag(header.getSerializedSize());
      header.writeTo(output);
      output.writeUInt32NoTag(message.getSerializedSize() + sidecarBytes);
      message.writeTo(output);
      output.flush();
      output.checkNoSpaceLeft();
      return buffer.writerIndex(size);
    } catch (IOException e) {
      buffer.release();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      buffer.release();
      throw e;
    }
  }

  private static long sizeOfDelimited(int messageBytes) {
    return (long) CodedOutputStream.computeUInt32SizeNoTag(messageBytes) + messageBytes;
  }
}
