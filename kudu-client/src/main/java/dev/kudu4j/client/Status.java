package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FailureStatus;
import dev.kudu4j.common.status.StatusCode;

/**
 * The result of a request: a code, a message, and in some cases the operating system's error
 * number.
 */
@SuppressWarnings("MethodName") // the factories have the names that users know
public final class Status {
  private static final int NO_POSIX_CODE = -1;
  private static final Status OK = new Status(StatusCode.OK, "", NO_POSIX_CODE);

  private final StatusCode code;
  private final String message;
  private final int posixCode;

  private Status(StatusCode code, String message, int posixCode) {
    this.code = code;
    this.message = message;
    this.posixCode = posixCode;
  }

  public static Status of(StatusCode code, String message) {
    return new Status(code, message, NO_POSIX_CODE);
  }

  static Status of(FailureStatus failure) {
    return of(failure.code(), failure.message());
  }

  public static Status OK() {
    return OK;
  }

  public static Status NotFound(String message) {
    return of(StatusCode.NOT_FOUND, message);
  }

  public static Status NotFound(String message, int posixCode) {
    return new Status(StatusCode.NOT_FOUND, message, posixCode);
  }

  public static Status Corruption(String message) {
    return of(StatusCode.CORRUPTION, message);
  }

  public static Status Corruption(String message, int posixCode) {
    return new Status(StatusCode.CORRUPTION, message, posixCode);
  }

  public static Status NotSupported(String message) {
    return of(StatusCode.NOT_SUPPORTED, message);
  }

  public static Status NotSupported(String message, int posixCode) {
    return new Status(StatusCode.NOT_SUPPORTED, message, posixCode);
  }

  public static Status InvalidArgument(String message) {
    return of(StatusCode.INVALID_ARGUMENT, message);
  }

  public static Status InvalidArgument(String message, int posixCode) {
    return new Status(StatusCode.INVALID_ARGUMENT, message, posixCode);
  }

  public static Status IOError(String message) {
    return of(StatusCode.IO_ERROR, message);
  }

  public static Status IOError(String message, int posixCode) {
    return new Status(StatusCode.IO_ERROR, message, posixCode);
  }

  public static Status AlreadyPresent(String message) {
    return of(StatusCode.ALREADY_PRESENT, message);
  }

  public static Status AlreadyPresent(String message, int posixCode) {
    return new Status(StatusCode.ALREADY_PRESENT, message, posixCode);
  }

  public static Status RuntimeError(String message) {
    return of(StatusCode.RUNTIME_ERROR, message);
  }

  public static Status RuntimeError(String message, int posixCode) {
    return new Status(StatusCode.RUNTIME_ERROR, message, posixCode);
  }

  public static Status NetworkError(String message) {
    return of(StatusCode.NETWORK_ERROR, message);
  }

  public static Status NetworkError(String message, int posixCode) {
    return new Status(StatusCode.NETWORK_ERROR, message, posixCode);
  }

  public static Status IllegalState(String message) {
    return of(StatusCode.ILLEGAL_STATE, message);
  }

  public static Status IllegalState(String message, int posixCode) {
    return new Status(StatusCode.ILLEGAL_STATE, message, posixCode);
  }

  public static Status NotAuthorized(String message) {
    return of(StatusCode.NOT_AUTHORIZED, message);
  }

  public static Status NotAuthorized(String message, int posixCode) {
    return new Status(StatusCode.NOT_AUTHORIZED, message, posixCode);
  }

  public static Status Aborted(String message) {
    return of(StatusCode.ABORTED, message);
  }

  public static Status Aborted(String message, int posixCode) {
    return new Status(StatusCode.ABORTED, message, posixCode);
  }

  public static Status RemoteError(String message) {
    return of(StatusCode.REMOTE_ERROR, message);
  }

  public static Status RemoteError(String message, int posixCode) {
    return new Status(StatusCode.REMOTE_ERROR, message, posixCode);
  }

  public static Status ServiceUnavailable(String message) {
    return of(StatusCode.SERVICE_UNAVAILABLE, message);
  }

  public static Status ServiceUnavailable(String message, int posixCode) {
    return new Status(StatusCode.SERVICE_UNAVAILABLE, message, posixCode);
  }

  public static Status TimedOut(String message) {
    return of(StatusCode.TIMED_OUT, message);
  }

  public static Status TimedOut(String message, int posixCode) {
    return new Status(StatusCode.TIMED_OUT, message, posixCode);
  }

  public static Status Uninitialized(String message) {
    return of(StatusCode.UNINITIALIZED, message);
  }

  public static Status Uninitialized(String message, int posixCode) {
    return new Status(StatusCode.UNINITIALIZED, message, posixCode);
  }

  public static Status ConfigurationError(String message) {
    return of(StatusCode.CONFIGURATION_ERROR, message);
  }

  public static Status ConfigurationError(String message, int posixCode) {
    return new Status(StatusCode.CONFIGURATION_ERROR, message, posixCode);
  }

  public static Status Incomplete(String message) {
    return of(StatusCode.INCOMPLETE, message);
  }

  public static Status Incomplete(String message, int posixCode) {
    return new Status(StatusCode.INCOMPLETE, message, posixCode);
  }

  public static Status EndOfFile(String message) {
    return of(StatusCode.END_OF_FILE, message);
  }

  public static Status EndOfFile(String message, int posixCode) {
    return new Status(StatusCode.END_OF_FILE, message, posixCode);
  }

  public static Status Immutable(String message) {
    return of(StatusCode.IMMUTABLE, message);
  }

  public static Status Immutable(String message, int posixCode) {
    return new Status(StatusCode.IMMUTABLE, message, posixCode);
  }

  public boolean ok() {
    return code == StatusCode.OK;
  }

  public boolean isNotFound() {
    return code == StatusCode.NOT_FOUND;
  }

  public boolean isCorruption() {
    return code == StatusCode.CORRUPTION;
  }

  public boolean isNotSupported() {
    return code == StatusCode.NOT_SUPPORTED;
  }

  public boolean isInvalidArgument() {
    return code == StatusCode.INVALID_ARGUMENT;
  }

  public boolean isIOError() {
    return code == StatusCode.IO_ERROR;
  }

  public boolean isAlreadyPresent() {
    return code == StatusCode.ALREADY_PRESENT;
  }

  public boolean isRuntimeError() {
    return code == StatusCode.RUNTIME_ERROR;
  }

  public boolean isNetworkError() {
    return code == StatusCode.NETWORK_ERROR;
  }

  public boolean isIllegalState() {
    return code == StatusCode.ILLEGAL_STATE;
  }

  public boolean isNotAuthorized() {
    return code == StatusCode.NOT_AUTHORIZED;
  }

  public boolean isAborted() {
    return code == StatusCode.ABORTED;
  }

  public boolean isRemoteError() {
    return code == StatusCode.REMOTE_ERROR;
  }

  public boolean isServiceUnavailable() {
    return code == StatusCode.SERVICE_UNAVAILABLE;
  }

  public boolean isTimedOut() {
    return code == StatusCode.TIMED_OUT;
  }

  public boolean isUninitialized() {
    return code == StatusCode.UNINITIALIZED;
  }

  public boolean isConfigurationError() {
    return code == StatusCode.CONFIGURATION_ERROR;
  }

  public boolean isIncomplete() {
    return code == StatusCode.INCOMPLETE;
  }

  public boolean isEndOfFile() {
    return code == StatusCode.END_OF_FILE;
  }

  public boolean isImmutable() {
    return code == StatusCode.IMMUTABLE;
  }

  /** The operating system's error number, or -1. */
  public int getPosixCode() {
    return posixCode;
  }

  StatusCode code() {
    return code;
  }

  /** The name of the code, such as {@code Not found} or {@code Timed out}. */
  String getCodeName() {
    return code.prefix();
  }

  /** The message without the code. */
  String getMessage() {
    return message;
  }

  @Override
  public String toString() {
    if (ok()) {
      return code.prefix();
    }
    String text = code.prefix() + ": " + message;
    return posixCode == NO_POSIX_CODE ? text : text + " (error " + posixCode + ")";
  }
}
