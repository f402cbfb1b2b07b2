package dev.kudu4j.client.stream;

/** An index does not have the rows of a scan, or not soon; no row has been returned. */
final class UnusableIndexException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableIndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
