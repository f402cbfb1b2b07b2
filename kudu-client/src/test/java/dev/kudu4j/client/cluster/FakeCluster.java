package dev.kudu4j.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Fake servers and clients of them, closed together. */
@SuppressWarnings("try") // an interrupt ends the test
final class FakeCluster implements AutoCloseable {
  static final byte[] UNBOUNDED = new byte[0];
  static final String TABLE = "table-id";
  private static final long QUIET_MILLIS = 60;
  private static final long PING_MILLIS_OF_THE_IMPATIENT = 500;
  private static final long PING_MILLIS = 15_000;

  static final TabletCall<WriteResponsePB> WRITE =
      new TabletCall<>(
          "Write", WriteResponsePB.parser(), WriteResponsePB::getError, List.of(), true);

  private final List<AutoCloseable> opened = new ArrayList<>();

  <T extends AutoCloseable> T closing(T resource) {
    opened.add(0, resource);
    return resource;
  }

  FakeMaster master() {
    return closing(FakeMaster.open());
  }

  FakeTabletServer tabletServer(String uuid) {
    return closing(FakeTabletServer.open(uuid));
  }

  /** A client that asks soon whether servers live, and waits long for the response. */
  Cluster client(FakeMaster... masters) {
    return client(PING_MILLIS, addresses(masters));
  }

  /** A client that considers a server silent after half a second. */
  Cluster impatientClient(FakeMaster... masters) {
    return impatientClient(addresses(masters));
  }

  Cluster impatientClient(List<HostPort> masters) {
    return client(PING_MILLIS_OF_THE_IMPATIENT, masters);
  }

  private Cluster client(long pingMillis, List<HostPort> masters) {
    return closing(
        Cluster.open(ConnectionOptions.of(masters).withPatience(QUIET_MILLIS, pingMillis)));
  }

  private static List<HostPort> addresses(FakeMaster... masters) {
    return Stream.of(masters).map(FakeMaster::address).toList();
  }

  static Deadline seconds(int seconds) {
    return Deadline.after(TimeUnit.SECONDS.toMillis(seconds));
  }

  static byte[] key(int... bytes) {
    byte[] key = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      key[i] = (byte) bytes[i];
    }
    return key;
  }

  static RemoteTablet tablet(Cluster client, byte[] key) {
    return get(client.tabletsOf(TABLE).at(key, seconds(60))).tablet();
  }

  static CompletableFuture<TabletReply<WriteResponsePB>> write(
      Cluster client, RemoteTablet tablet, Deadline deadline) {
    WriteRequestPB request =
        WriteRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8(tablet.tabletId())).build();
    return client.call(tablet, ReplicaChoice.LEADER, WRITE, replica -> request, deadline);
  }

  /** Writes; returns the id of the server that executed the write. */
  static String writtenBy(Cluster client, RemoteTablet tablet) {
    return get(write(client, tablet, seconds(60))).replica().serverId();
  }

  static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(Patience.SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static KuduException failureOf(CompletableFuture<?> future) {
    Throwable failure = catchThrowable(() -> future.get(Patience.SECONDS, TimeUnit.SECONDS));
    Throwable bare = failure instanceof ExecutionException ? failure.getCause() : failure;
    assertThat(bare).isInstanceOf(KuduException.class);
    return (KuduException) bare;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable resource : opened) {
      resource.close();
    }
  }
}
