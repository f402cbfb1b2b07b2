package dev.kudu4j.embedded.junit5;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.embedded.EmbeddedCluster;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides tests with a cluster.
 *
 * <pre>{@code
 * @ExtendWith(KuduClusterExtension.class)
 * class PeopleTest {
 *   @Test
 *   void keepsWhatItIsGiven(KuduClient client) throws Exception { ... }
 * }
 * }</pre>
 *
 * <p>or, with a configured cluster:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KuduClusterExtension KUDU =
 *     KuduClusterExtension.of(EmbeddedCluster.builder().tabletServers(3));
 * }</pre>
 *
 * <p>One cluster serves all tests of a class and of its nested classes; it starts before the first
 * test and is closed after the last. If the extension is registered as an instance field, each test
 * gets its own cluster. Tests and their constructors may have parameters of type {@link
 * EmbeddedCluster} and {@link KuduClient}.
 */
public final class KuduClusterExtension
    implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {
  private static final String KEY = "cluster";

  private final EmbeddedCluster.Builder builder;
  private volatile EmbeddedCluster current;

  /** A cluster with one tablet server. */
  public KuduClusterExtension() {
    this(EmbeddedCluster.builder());
  }

  private KuduClusterExtension(EmbeddedCluster.Builder builder) {
    this.builder = builder;
  }

  /** A cluster with the settings of the builder. */
  public static KuduClusterExtension of(EmbeddedCluster.Builder builder) {
    return new KuduClusterExtension(builder);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    start(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    start(context);
  }

  /**
   * Returns the cluster of an enclosing context from its store, or starts one, which is closed when
   * this context ends.
   */
  private EmbeddedCluster start(ExtensionContext context) {
    Namespace namespace = Namespace.create(KuduClusterExtension.class, this);
    Held held =
        context
            .getStore(namespace)
            .getOrComputeIfAbsent(KEY, key -> new Held(builder.start()), Held.class);
    current = held.cluster;
    return current;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == EmbeddedCluster.class || type == KuduClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    EmbeddedCluster cluster = start(context);
    return parameter.getParameter().getType() == KuduClient.class ? cluster.client() : cluster;
  }

  /** The cluster of the running test. */
  public EmbeddedCluster cluster() {
    EmbeddedCluster running = current;
    if (running == null) {
      throw KuduException.illegalState(
          "The cluster starts with the first test; call this in a test or in @BeforeAll");
    }
    return running;
  }

  /** The client of {@link #cluster}, which is closed with the cluster. */
  public KuduClient client() {
    return cluster().client();
  }

  /** The master addresses of {@link #cluster}, for other clients. */
  public String masterAddresses() {
    return cluster().masterAddresses();
  }

  /**
   * Lets the store close the cluster, through the interface that all versions of JUnit 5 support.
   */
  @SuppressWarnings("deprecation") // later versions also accept an AutoCloseable
  private static final class Held implements ExtensionContext.Store.CloseableResource {
    private final EmbeddedCluster cluster;

    Held(EmbeddedCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
