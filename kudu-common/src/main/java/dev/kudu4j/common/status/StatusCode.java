package dev.kudu4j.common.status;

/**
 * The closed set of status codes, numbered as on the wire ({@code AppStatusPB.ErrorCode}).
 *
 * <p>All clients interpret {@link #ILLEGAL_STATE} and {@link #ABORTED} of a tablet server as "not
 * the leader", and {@link #SERVICE_UNAVAILABLE} as "retry later". Tablet servers must not use these
 * codes for other errors.
 */
public enum StatusCode {
  OK(0, "OK", Category.USER),
  NOT_FOUND(1, "Not found", Category.USER),
  CORRUPTION(2, "Corruption", Category.INTERNAL),
  NOT_SUPPORTED(3, "Not implemented", Category.USER),
  INVALID_ARGUMENT(4, "Invalid argument", Category.USER),
  IO_ERROR(5, "IO error", Category.INTERNAL),
  ALREADY_PRESENT(6, "Already present", Category.USER),
  RUNTIME_ERROR(7, "Runtime error", Category.INTERNAL),
  NETWORK_ERROR(8, "Network error", Category.RESOURCES),
  ILLEGAL_STATE(9, "Illegal state", Category.RESOURCES),
  NOT_AUTHORIZED(10, "Not authorized", Category.USER),
  ABORTED(11, "Aborted", Category.RESOURCES),
  REMOTE_ERROR(12, "Remote error", Category.INTERNAL),
  SERVICE_UNAVAILABLE(13, "Service unavailable", Category.RESOURCES),
  TIMED_OUT(14, "Timed out", Category.RESOURCES),
  UNINITIALIZED(15, "Uninitialized", Category.INTERNAL),
  CONFIGURATION_ERROR(16, "Configuration error", Category.USER),
  INCOMPLETE(17, "Incomplete", Category.INTERNAL),
  END_OF_FILE(18, "End of file", Category.INTERNAL),
  IMMUTABLE(20, "Immutable", Category.USER);

  /**
   * The party that must act: the caller, the developers of the server, or nobody, because a later
   * retry may succeed. The category determines logging and retries.
   */
  public enum Category {
    USER,
    INTERNAL,
    RESOURCES
  }

  private final int wireNumber;
  private final String prefix;
  private final Category category;

  StatusCode(int wireNumber, String prefix, Category category) {
    this.wireNumber = wireNumber;
    this.prefix = prefix;
    this.category = category;
  }

  public int wireNumber() {
    return wireNumber;
  }

  /** The text that clients print before the message, for example {@code Not found}. */
  public String prefix() {
    return prefix;
  }

  public Category category() {
    return category;
  }

  /** The code with this wire number; {@link #RUNTIME_ERROR} if unknown. */
  public static StatusCode ofWireNumber(int number) {
    for (StatusCode code : values()) {
      if (code.wireNumber == number) {
        return code;
      }
    }
    return RUNTIME_ERROR;
  }
}
