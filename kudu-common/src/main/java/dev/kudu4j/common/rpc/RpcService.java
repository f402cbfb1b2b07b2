package dev.kudu4j.common.rpc;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.rpc.execution.CallCost;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A named set of methods, and the features that callers may require.
 *
 * <pre>{@code
 * RpcService.builder("kudu.master.MasterService")
 *     .features(1, 2, 3)
 *     .method("Ping", Access.CLIENT, PingRequestPB.parser(), (request, call) -> call.respond(PingResponsePB.getDefaultInstance()))
 *     .build();
 * }</pre>
 */
public final class RpcService {
  private final String name;
  private final Map<Integer, BooleanSupplier> features;
  private final Map<String, RpcMethod<?>> methods;

  private RpcService(Builder builder) {
    this.name = builder.name;
    this.features = Map.copyOf(builder.features);
    this.methods = Map.copyOf(builder.methods);
  }

  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** The fully qualified name that callers use. */
  public String name() {
    return name;
  }

  /** The features that callers may currently require. */
  public Set<Integer> features() {
    return features.keySet().stream().filter(this::offers).collect(Collectors.toSet());
  }

  boolean offers(int feature) {
    BooleanSupplier offered = features.get(feature);
    return offered != null && offered.getAsBoolean();
  }

  public Set<String> methodNames() {
    return methods.keySet();
  }

  /**
   * Who may call the method with this name.
   *
   * @throws IllegalArgumentException if there is no such method
   */
  public Access access(String methodName) {
    RpcMethod<?> found = methods.get(methodName);
    if (found == null) {
      throw new IllegalArgumentException(name + " has no method " + methodName);
    }
    return found.access();
  }

  @Nullable RpcMethod<?> method(String methodName) {
    return methods.get(methodName);
  }

  /** Builds a service. */
  public static final class Builder {
    private final String name;
    private final Map<Integer, BooleanSupplier> features = new HashMap<>();
    private final Map<String, RpcMethod<?>> methods = new HashMap<>();

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Adds feature numbers of the service's own enumeration. A call that requires another feature
     * is rejected.
     */
    public Builder features(int... numbers) {
      for (int number : numbers) {
        feature(number, () -> true);
      }
      return this;
    }

    /**
     * Adds a feature that can be switched off.
     *
     * @param offered evaluated for each call that requires the feature
     */
    public Builder feature(int number, BooleanSupplier offered) {
      features.put(number, offered);
      return this;
    }

    /** Adds a method whose calls may block. */
    public <Q extends Message> Builder method(
        String method, Access access, Parser<Q> parser, RpcHandler<Q> handler) {
      return method(method, access, CallCost.BLOCKING, parser, handler);
    }

    /**
     * Adds a method.
     *
     * @param cost decides the threads that run the calls. The handler of a {@link CallCost#SHORT}
     *     method may run twice: it must have no effect before an operation that throws {@link
     *     dev.kudu4j.common.thread.WouldBlock}, or undo the effect when it does.
     */
    public <Q extends Message> Builder method(
        String method, Access access, CallCost cost, Parser<Q> parser, RpcHandler<Q> handler) {
      RpcMethod<?> earlier =
          methods.putIfAbsent(method, new RpcMethod<>(method, access, cost, parser, handler));
      if (earlier != null) {
        throw new IllegalArgumentException("Method " + method + " is declared twice in " + name);
      }
      return this;
    }

    public RpcService build() {
      return new RpcService(this);
    }
  }
}
