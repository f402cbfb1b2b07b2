package dev.kudu4j.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.server.flags.FlagParser;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.ServerOptions;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.Rendered;
import dev.kudu4j.server.web.WebPage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityPageTest {
  @TempDir private Path directory;

  private static String page(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--fs_wal_dir=unused"));
    arguments.addAll(List.of(more));
    Flags flags = FlagParser.parse(ServerOptions.tabletServer(), arguments);
    ServerConfiguration configuration = ServerConfiguration.of(flags, JvmShare.whole());
    WebPage.Html page = (WebPage.Html) SecurityPage.of(flags, configuration);
    return Rendered.html(page.answer().apply(Query.NONE));
  }

  @Test
  void aServerOnLoopbackShowsTheProtectionOfItsDefaults() {
    assertThat(page())
        .contains("Only programs on this machine reach the server.")
        .contains("Other machines cannot connect.", "this version has no TLS")
        .contains("and those of this machine&#x27;s interfaces", "127.0.0.0/8, 10.0.0.0/8")
        .contains("the name " + System.getProperty("user.name"), "passes for a server")
        .contains(
            "Every client may use the cluster.", "Only clients with these names may administer")
        .contains("umask 077", ">owner only<", ">locked<", "Pages show no cell of a row")
        .doesNotContain("Other machines can connect");
  }

  @Test
  void aServerOnTheNetworkIsShownAsExposed() {
    assertThat(page("--rpc_bind_addresses=0.0.0.0:7050", "--webserver_interface=0.0.0.0"))
        .contains("Other machines reach the server.", "behind a firewall")
        .doesNotContain("Other machines cannot connect.");
  }

  @Test
  void thePageShowsTheEffectiveFlags() throws Exception {
    Path secret = directory.resolve("secret");
    ClusterSecret.random().write(secret);
    assertThat(
            page(
                "--cluster_secret_file=" + secret,
                "--user_acl=ada,<i>eve</i>",
                "--superuser_acl=grace",
                "--trusted_subnets=0.0.0.0/0",
                "--redact=none",
                "--umask=027"))
        .contains(secret.toString(), "Servers prove to each other")
        .contains("&lt;i&gt;eve&lt;/i&gt;", ">grace<", "Only clients with these names may use")
        .contains("A client may connect from any address.")
        .contains("Pages show values of predicates", "have values of cells")
        .contains("umask 027", ">wider<")
        .doesNotContain("<i>", "passes for a server");
  }
}
