package dev.kudu4j.embedded.junit5;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.embedded.EmbeddedCluster;
import org.apache.kudu.client.KuduClient;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a cluster.
 *
 * <pre>{@code
 * @ExtendWith(KuduClusterExtension.class)
 * class PeopleTest {
 *   @Test
 *   void keepsWhatItIsGiven(KuduClient client) throws Exception { ... }
 * }
 * }</pre>
 *
 * <p>or, to say what the cluster is to be like:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KuduClusterExtension KUDU =
 *     KuduClusterExtension.of(EmbeddedCluster.builder().tabletServers(3));
 * }</pre>
 *
 * <p>One cluster serves all tests of a class and of the classes nested in it; it starts before the
 * first and is closed after the last. Registered as an instance field, each test gets a cluster of
 * its own. Tests and their constructors may have parameters of type {@link EmbeddedCluster} and
 * {@link KuduClient}.
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

  /** A cluster as the builder says. */
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
   * A cluster that an enclosing context has is found in its store; otherwise one starts here, and is
   * closed when this context ends.
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

  /** The cluster of the test that runs. */
  public EmbeddedCluster cluster() {
    EmbeddedCluster running = current;
    if (running == null) {
      throw KuduException.illegalState(
          "The cluster starts with the first test; ask for it in a test or in @BeforeAll");
    }
    return running;
  }

  /** A client of that cluster, closed with it. */
  public KuduClient client() {
    return cluster().client();
  }

  /** What other clients of that cluster are given. */
  public String masterAddresses() {
    return cluster().masterAddresses();
  }

  /** Lets the store close the cluster; in the way that every JUnit 5 understands. */
  @SuppressWarnings("deprecation") // later versions would take an AutoCloseable as well
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
