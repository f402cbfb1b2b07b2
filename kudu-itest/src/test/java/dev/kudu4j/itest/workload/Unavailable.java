package dev.kudu4j.itest.workload;

/** A read got no response in time and has no result. */
public final class Unavailable extends Exception {
  private static final long serialVersionUID = 1;

  public Unavailable(Exception cause) {
    super(cause);
  }
}
