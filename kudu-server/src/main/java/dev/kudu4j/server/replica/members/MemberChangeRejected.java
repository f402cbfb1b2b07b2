package dev.kudu4j.server.replica.members;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Locale;

/** A change of members that was not made, and why. */
public final class MemberChangeRejected extends KuduException {
  private static final long serialVersionUID = 1L;

  /** What kind of no it is. */
  public enum Reason {
    /** This replica does not lead; another may. */
    NOT_LEADER(StatusCode.ILLEGAL_STATE),
    /** The configuration is another one than that the change was decided on. */
    OUTDATED(StatusCode.ILLEGAL_STATE),
    /** It makes no sense with the members as they are. */
    INVALID(StatusCode.INVALID_ARGUMENT),
    /** Another one is under way, or this one could not be completed now. */
    NOT_NOW(StatusCode.ILLEGAL_STATE);

    private final StatusCode code;

    Reason(StatusCode code) {
      this.code = code;
    }
  }

  private final Reason reason;

  private MemberChangeRejected(Reason reason, String message) {
    super(reason.code, message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  @FormatMethod
  static MemberChangeRejected of(Reason reason, @FormatString String format, Object... args) {
    return new MemberChangeRejected(reason, String.format(Locale.ROOT, format, args));
  }
}
