package dev.kudu4j.common.rpc.negotiation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * The seven bytes at the start of a connection: {@code hrpc}, RPC version 9, service class
 * (ignored), authentication protocol (always 0; authentication is negotiated in frames).
 */
final class Preamble {
  private static final byte[] BYTES = {'h', 'r', 'p', 'c', 9, 0, 0};
  private static final int SERVICE_CLASS = 5;

  private Preamble() {}

  static int length() {
    return BYTES.length;
  }

  static boolean accepts(int index, byte value) {
    return index == SERVICE_CLASS || BYTES[index] == value;
  }

  static ByteBuf toBuffer() {
    return Unpooled.wrappedBuffer(BYTES.clone());
  }
}
