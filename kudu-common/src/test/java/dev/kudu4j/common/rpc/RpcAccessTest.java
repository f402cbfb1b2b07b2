package dev.kudu4j.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.security.Subnets;
import dev.kudu4j.common.security.UserList;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers with every role and methods with every access, over real connections. */
class RpcAccessTest {
  private static final String SERVICE = "test.Access";
  private static final NegotiatePB REQUEST =
      NegotiatePB.newBuilder().setStep(NegotiatePB.NegotiateStep.NEGOTIATE).build();

  private final ClusterSecret secret = ClusterSecret.random();
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger unauthorized = new AtomicInteger();

  private RpcServer server(Optional<ClusterSecret> own, Predicate<InetAddress> trusted) {
    RpcService.Builder service = RpcService.builder(SERVICE);
    for (Access access : Access.values()) {
      service.method(
          access.name(),
          access,
          NegotiatePB.parser(),
          (request, call) -> {
            served.incrementAndGet();
            call.respond(request);
          });
    }
    return RpcServer.builder("Test")
        .security(
            new RpcSecurity(
                UserList.parse("user_acl", "alice, root"),
                UserList.of("root"),
                UserList.of("kudu"),
                trusted,
                own))
        .metrics(
            new RpcMetrics() {
              @Override
              public void callUnauthorized(String called, String method) {
                unauthorized.incrementAndGet();
              }
            })
        .service(service.build())
        .start();
  }

  private static void call(RpcServer server, RpcClientOptions options, String method)
      throws Exception {
    try (RpcClient client = new RpcClient(options)) {
      client
          .call(
              server.boundAddresses().get(0),
              SERVICE,
              method,
              REQUEST,
              NegotiatePB.parser(),
              RpcCallOptions.timeoutMillis(20_000))
          .get(30, TimeUnit.SECONDS)
          .close();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  private static RpcClientOptions user(String name) {
    return RpcClientOptions.defaults().withUser(name);
  }

  @ParameterizedTest
  @CsvSource({
    "CLIENT, alice root",
    "CLIENT_OR_SERVICE, alice root kudu",
    "SUPERUSER_OR_SERVICE, root kudu",
    "SERVICE, kudu",
    "SUPERUSER, root"
  })
  void eachMethodAdmitsOnlyItsCallers(String method, String admitted) throws Exception {
    try (RpcServer server = server(Optional.empty(), address -> true)) {
      for (String name : new String[] {"alice", "root", "kudu", "mallory"}) {
        int before = served.get();
        if (admitted.contains(name)) {
          call(server, user(name), method);
          assertThat(served.get()).isEqualTo(before + 1);
        } else {
          assertThatThrownBy(() -> call(server, user(name), method))
              .isInstanceOfSatisfying(
                  RpcException.class,
                  refusal -> {
                    assertThat(refusal.errorCode()).isEqualTo(RpcErrorCode.ERROR_APPLICATION);
                    assertThat(refusal.describe())
                        .isEqualTo("Not authorized: unauthorized access to method: " + method);
                  });
          assertThat(served.get()).isEqualTo(before);
        }
      }
    }
    assertThat(unauthorized.get()).isEqualTo(4 - admitted.split(" ").length);
  }

  @Test
  void withASecretOnlyItsHolderIsAServer() throws Exception {
    try (RpcServer server = server(Optional.of(secret), address -> true)) {
      call(server, user("whoever").withSecret(Optional.of(secret)), "SERVICE");
      assertThatThrownBy(() -> call(server, user("kudu"), "SERVICE"))
          .hasMessageContaining("unauthorized access to method: SERVICE");
      call(server, user("root"), "SUPERUSER_OR_SERVICE");
      call(server, user("alice"), "CLIENT");
    }
  }

  @Test
  void aDifferentOrMissingSecretEndsTheConnection() {
    ClusterSecret other = ClusterSecret.random();
    try (RpcServer server = server(Optional.of(secret), address -> true);
        RpcServer without = server(Optional.empty(), address -> true)) {
      RpcClientOptions options = user("kudu").withSecret(Optional.of(other));
      assertThatThrownBy(() -> call(server, options, "CLIENT"))
          .isInstanceOfSatisfying(
              KuduException.class,
              refusal -> assertThat(refusal.code()).isEqualTo(StatusCode.NOT_AUTHORIZED))
          .hasMessageContaining("does not have this cluster's secret");
      assertThatThrownBy(() -> call(without, options, "CLIENT"))
          .hasMessageContaining("start all servers with the same --cluster_secret_file");
    }
  }

  @Test
  void addressesOutsideTheTrustedSubnetsAreRefusedWithTheReason() {
    Subnets elsewhere = Subnets.parse("trusted_subnets", "10.0.0.0/8");
    try (RpcServer server = server(Optional.of(secret), elsewhere::contains)) {
      assertThatThrownBy(() -> call(server, user("root"), "CLIENT"))
          .hasMessageContaining(
              "unencrypted connections from publicly routable IPs are prohibited. See"
                  + " --trusted_subnets flag for more information.");
      RpcClientOptions peer = user("kudu").withSecret(Optional.of(secret));
      assertThatThrownBy(() -> call(server, peer, "SERVICE"))
          .hasMessageContaining("unencrypted connections from publicly routable IPs");
    }
    try (RpcServer server =
        server(Optional.empty(), Subnets.parse("f", "127.0.0.0/8,::1/128")::contains)) {
      assertThatCode(() -> call(server, user("root"), "CLIENT")).doesNotThrowAnyException();
    }
  }
}
