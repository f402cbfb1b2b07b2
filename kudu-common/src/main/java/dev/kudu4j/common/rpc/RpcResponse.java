package dev.kudu4j.common.rpc;

import com.google.protobuf.Message;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A response and its sidecars. The sidecars are slices of the received frame. Closing releases
 * them, so callers must retain the sidecars that they use after {@link #close}. A response without
 * sidecars holds no resources.
 */
public final class RpcResponse<R extends Message> implements AutoCloseable {
  private final R message;
  private final List<ByteBuf> sidecars;
  private final AtomicBoolean closed = new AtomicBoolean();

  RpcResponse(R message, List<ByteBuf> sidecars) {
    this.message = message;
    this.sidecars = sidecars;
  }

  public R message() {
    return message;
  }

  /** The sidecars, borrowed until {@link #close}. */
  public List<ByteBuf> sidecars() {
    return sidecars;
  }

  /** A second close does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      sidecars.forEach(ByteBuf::release);
    }
  }
}
