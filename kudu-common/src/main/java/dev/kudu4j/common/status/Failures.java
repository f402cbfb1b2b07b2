package dev.kudu4j.common.status;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Failures of futures. */
public final class Failures {
  private Failures() {}

  /** The failure without the exceptions in which futures wrap it. */
  public static Throwable unwrap(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** The failure without its wrappers, to be thrown again. */
  public static RuntimeException asRuntime(Throwable failure) {
    Throwable cause = unwrap(failure);
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  /** The code of the failure; RUNTIME_ERROR if it has none. */
  public static StatusCode codeOf(Throwable failure) {
    return unwrap(failure) instanceof KuduException known ? known.code() : StatusCode.RUNTIME_ERROR;
  }
}
