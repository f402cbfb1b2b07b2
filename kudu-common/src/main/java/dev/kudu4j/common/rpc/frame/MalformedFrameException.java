package dev.kudu4j.common.rpc.frame;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are not a valid frame. The following bytes cannot be interpreted, so the connection is
 * closed.
 */
public final class MalformedFrameException extends KuduException {
  private static final long serialVersionUID = 1L;

  private MalformedFrameException(String message, @Nullable Throwable cause) {
    super(StatusCode.CORRUPTION, message, cause);
  }

  @FormatMethod
  static MalformedFrameException of(String format, Object... args) {
    return new MalformedFrameException(String.format(Locale.ROOT, format, args), null);
  }

  static MalformedFrameException because(String what, Throwable cause) {
    return new MalformedFrameException(what + ": " + cause.getMessage(), cause);
  }

  /**
   * Omits the stack trace: the exception is the fault of a peer, and the place of its detection
   * does not matter.
   */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
