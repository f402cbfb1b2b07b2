package dev.kudu4j.common.status;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An error with a {@link StatusCode}. The message states the fact, the values and the next step. It
 * does not repeat the prefix of the code, which {@link #toString} and the wire messages add.
 */
public class KuduException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final StatusCode code;

  public KuduException(StatusCode code, @Nullable String message) {
    this(code, message, null);
  }

  /**
   * @param message null if the cause has no message
   */
  public KuduException(StatusCode code, @Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code);
  }

  public StatusCode code() {
    return code;
  }

  /** The message with the prefix of the code, as clients print it. */
  public String describe() {
    return code.prefix() + ": " + getMessage();
  }

  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message without the code is for users
  public String toString() {
    return getClass().getSimpleName() + "[" + describe() + "]";
  }

  @FormatMethod
  public static KuduException notFound(String format, Object... args) {
    return of(StatusCode.NOT_FOUND, format, args);
  }

  @FormatMethod
  public static KuduException alreadyPresent(String format, Object... args) {
    return of(StatusCode.ALREADY_PRESENT, format, args);
  }

  @FormatMethod
  public static KuduException invalidArgument(String format, Object... args) {
    return of(StatusCode.INVALID_ARGUMENT, format, args);
  }

  @FormatMethod
  public static KuduException notSupported(String format, Object... args) {
    return of(StatusCode.NOT_SUPPORTED, format, args);
  }

  /** Corrupt data. The message contains file, offset, expected and actual value. */
  @FormatMethod
  public static KuduException corruption(String format, Object... args) {
    return of(StatusCode.CORRUPTION, format, args);
  }

  @FormatMethod
  public static KuduException ioError(Throwable cause, String format, Object... args) {
    return new KuduException(StatusCode.IO_ERROR, String.format(Locale.ROOT, format, args), cause);
  }

  @FormatMethod
  public static KuduException illegalState(String format, Object... args) {
    return of(StatusCode.ILLEGAL_STATE, format, args);
  }

  @FormatMethod
  public static KuduException serviceUnavailable(String format, Object... args) {
    return of(StatusCode.SERVICE_UNAVAILABLE, format, args);
  }

  @FormatMethod
  public static KuduException timedOut(String format, Object... args) {
    return of(StatusCode.TIMED_OUT, format, args);
  }

  @FormatMethod
  public static KuduException configuration(String format, Object... args) {
    return of(StatusCode.CONFIGURATION_ERROR, format, args);
  }

  /** An error with {@code code} and a formatted message. */
  @FormatMethod
  public static KuduException of(StatusCode code, String format, Object... args) {
    return new KuduException(code, String.format(Locale.ROOT, format, args));
  }
}
