package dev.kudu4j.client.scan;

import dev.kudu4j.common.status.KuduException;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Access to the sidecars of a response by the indexes in its message. */
public final class Sidecars {
  private Sidecars() {}

  /** A sidecar, which the caller must not release. */
  public static ByteBuf get(List<ByteBuf> sidecars, int index) {
    if (index < 0 || index >= sidecars.size()) {
      throw KuduException.corruption(
          "Scan response refers to sidecar %d, but has %d sidecars", index, sidecars.size());
    }
    return sidecars.get(index);
  }

  static byte[] copy(List<ByteBuf> sidecars, int index) {
    ByteBuf sidecar = get(sidecars, index);
    byte[] bytes = new byte[sidecar.readableBytes()];
    sidecar.getBytes(sidecar.readerIndex(), bytes);
    return bytes;
  }
}
