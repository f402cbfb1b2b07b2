package dev.kudu4j.common.rpc.execution;

import dev.kudu4j.common.status.KuduException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The thread models of a server; the table is in the description of this package. */
public enum ThreadModel {
  POOL,
  SHARED,
  PER_REQUEST,
  ADAPTIVE;

  /** The name in flags: lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of all models. */
  public static List<String> texts() {
    return Arrays.stream(values()).map(ThreadModel::text).toList();
  }

  /**
   * @throws KuduException INVALID_ARGUMENT if no model has this name
   */
  public static ThreadModel of(String text) {
    for (ThreadModel model : values()) {
      if (model.text().equals(text)) {
        return model;
      }
    }
    throw KuduException.invalidArgument(
        "Unknown RPC thread model %s; the models are %s", text, String.join(", ", texts()));
  }

  /**
   * Creates the threads of one service.
   *
   * @param name the prefix of the threads' names
   */
  public CallExecution open(String name, ExecutionLimits limits) {
    return switch (this) {
      case POOL -> new PoolExecution(name, limits);
      case SHARED -> LoopExecution.shared(new PoolExecution(name, limits));
      case PER_REQUEST -> new PerRequestExecution(name, limits);
      case ADAPTIVE -> LoopExecution.adaptive(new PoolExecution(name, limits));
    };
  }
}
