package dev.kudu4j.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kudu4j.common.rpc.RpcSecurity;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.ServerOptions;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class ServerSecurityTest {
  private static final String PROCESS_USER = System.getProperty("user.name");

  @TempDir private Path directory;

  private static RpcSecurity security(String... flags) {
    return ServerSecurity.of(FlagParser.parse(ServerOptions.tabletServer(), List.of(flags)));
  }

  @Test
  void byDefaultEverybodyIsAUserAndTheProcessUserTheRest() throws Exception {
    RpcSecurity security = security();
    assertThat(security.users().contains("anybody")).isTrue();
    assertThat(security.superusers().contains(PROCESS_USER)).isTrue();
    assertThat(security.superusers().contains("anybody")).isFalse();
    assertThat(security.services().contains(PROCESS_USER)).isTrue();
    assertThat(security.services().contains("anybody")).isFalse();
    assertThat(security.secret()).isEmpty();
    assertThat(security.trusted().test(InetAddress.getLoopbackAddress())).isTrue();
    assertThat(security.trusted().test(InetAddress.getByName("8.8.8.8"))).isFalse();
  }

  @Test
  void listsAndSubnetsAreThoseOfTheFlags() {
    RpcSecurity security =
        security("--user_acl=ada", "--superuser_acl=grace", "--trusted_subnets=10.0.0.0/8");
    assertThat(security.users().contains(PROCESS_USER)).isFalse();
    assertThat(security.superusers().contains("grace")).isTrue();
    assertThat(security.superusers().contains(PROCESS_USER)).isFalse();
    assertThat(security.trusted().test(InetAddress.getLoopbackAddress())).isFalse();
  }

  @Test
  void theSecretIsReadFromAFileThatOnlyItsOwnerMayRead() throws Exception {
    Path file = directory.resolve("secret");
    assertThatThrownBy(() -> security("--cluster_secret_file=" + file))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(file.toString());
    ClusterSecret secret = ClusterSecret.random();
    secret.write(file);
    assertThat(security("--cluster_secret_file=" + file).secret()).isEqualTo(Optional.of(secret));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> security("--cluster_secret_file=" + file))
        .hasMessageContaining("chmod 600");
  }

  @Test
  void aServerThatOtherMachinesReachWarns() {
    Logger logger = (Logger) LoggerFactory.getLogger(ServerSecurity.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      ServerSecurity.warnIfExposed(List.of(new HostPort("127.0.0.1", 7050)), security());
      assertThat(log.list).isEmpty();
      ServerSecurity.warnIfExposed(List.of(new HostPort("0.0.0.0", 7050)), security());
      assertThat(log.list)
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.getLevel()).isEqualTo(Level.WARN);
                assertThat(event.getFormattedMessage())
                    .startsWith("Listening on 0.0.0.0:7050, which other machines reach")
                    .contains("--trusted_subnets", "--cluster_secret_file");
              });
    } finally {
      logger.detachAppender(log);
    }
  }
}
