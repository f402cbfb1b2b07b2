package dev.kudu4j.server.replica.members;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Locale;

/** Thrown if a change of members was not made. */
public final class MemberChangeRejectedException extends KuduException {
  private static final long serialVersionUID = 1L;

  /** Why the change was rejected. */
  public enum Reason {
    /** This replica does not lead; another replica may lead. */
    NOT_LEADER(StatusCode.ILLEGAL_STATE),
    /** The change is based on an older configuration. */
    OUTDATED(StatusCode.ILLEGAL_STATE),
    /** The change does not fit the current members. */
    INVALID(StatusCode.INVALID_ARGUMENT),
    /** Another change is under way, or the requested change could not be completed now. */
    NOT_NOW(StatusCode.ILLEGAL_STATE);

    private final StatusCode code;

    Reason(StatusCode code) {
      this.code = code;
    }
  }

  private final Reason reason;

  private MemberChangeRejectedException(Reason reason, String message) {
    super(reason.code, message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  @FormatMethod
  static MemberChangeRejectedException of(
      Reason reason, @FormatString String format, Object... args) {
    return new MemberChangeRejectedException(reason, String.format(Locale.ROOT, format, args));
  }
}
