package dev.kudu4j.itest.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A client and the servers against which it is tested. Registered by the test class of the pair;
 * starts the servers, is a parameter of every case, and at the end prints how many cases ran and
 * how many passed.
 *
 * <p>Fewer cases than a minimum are a failure, so a pair cannot pass by running nothing.
 */
public final class Pair
    implements BeforeAllCallback, AfterAllCallback, ParameterResolver, TestWatcher {
  private static final int MIN_CASES = Integer.getInteger("suite.leastCases", 60);

  private final String name;
  private final int leastCases;
  private final Function<Path, Cluster> servers;
  private Path directory;
  private Cluster cluster;
  private AutoCloseable client;
  private long startNanos;
  private int run;
  private int passed;

  /**
   * @param name such as "our client on the published servers"
   * @param servers starts them in the given directory
   */
  public Pair(String name, Function<Path, Cluster> servers) {
    this(name, MIN_CASES, servers);
  }

  /**
   * @param leastCases fewer cases are a failure
   */
  public Pair(String name, int leastCases, Function<Path, Cluster> servers) {
    this.name = name;
    this.leastCases = leastCases;
    this.servers = servers;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** The client that all cases share; the first case opens it. */
  public <T extends AutoCloseable> T client(Class<T> type, Function<String, T> open) {
    if (client == null) {
      client = open.apply(cluster.masters());
    }
    return type.cast(client);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    if (isOutermost(context)) {
      startNanos = System.nanoTime();
      directory = Files.createTempDirectory("client-suite");
      cluster = servers.apply(directory);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (!isOutermost(context)) {
      return;
    }
    close();
    long seconds = (System.nanoTime() - startNanos) / 1_000_000_000;
    System.out.printf("client suite: %s: %d of %d (%d s)%n", name, passed, run, seconds);
    assertThat(run).as("cases run with %s", name).isGreaterThanOrEqualTo(leastCases);
  }

  private void close() throws Exception {
    try {
      if (client != null) {
        client.close();
      }
    } finally {
      if (cluster != null) {
        cluster.close();
      }
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(Pair::delete);
      }
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOutermost(ExtensionContext context) {
    return context.getRequiredTestClass().getEnclosingClass() == null;
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    run++;
    passed++;
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    run++;
  }

  @Override
  public void testAborted(ExtensionContext context, Throwable cause) {
    run++;
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    run++;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Pair.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return this;
  }
}
