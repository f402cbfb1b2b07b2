package dev.kudu4j.server.process;

import static dev.kudu4j.server.flags.SecurityOptions.CLUSTER_SECRET_FILE;
import static dev.kudu4j.server.flags.SecurityOptions.RPC_AUTHENTICATION;
import static dev.kudu4j.server.flags.SecurityOptions.RPC_ENCRYPTION;
import static dev.kudu4j.server.flags.SecurityOptions.SUPERUSER_ACL;
import static dev.kudu4j.server.flags.SecurityOptions.TRUSTED_SUBNETS;
import static dev.kudu4j.server.flags.SecurityOptions.UMASK;
import static dev.kudu4j.server.flags.SecurityOptions.USER_ACL;
import static dev.kudu4j.server.flags.ServerOptions.REDACT;
import static dev.kudu4j.server.flags.ServerOptions.RPC_BIND_ADDRESSES;
import static dev.kudu4j.server.flags.ServerOptions.UNLOCK_UNSAFE;
import static dev.kudu4j.server.flags.ServerOptions.WEBSERVER_INTERFACE;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.common.rpc.RpcSecurity;
import dev.kudu4j.common.security.UserList;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import j2html.tags.DomContent;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;

/** The page of the server's protections and their state, in plain words. */
final class SecurityPage {
  private static final DomContent OFF = Badges.bad("off");

  /**
   * @param flag the flag that changes the protection; empty if no flag does
   */
  private record Protection(
      String name, DomContent state, String inForce, String meaning, String flag) {}

  private final Flags flags;
  private final ServerConfiguration configuration;
  private final RpcSecurity security;

  private SecurityPage(Flags flags, ServerConfiguration configuration) {
    this.flags = flags;
    this.configuration = configuration;
    this.security = configuration.security();
  }

  static WebPage of(Flags flags, ServerConfiguration configuration) {
    SecurityPage page = new SecurityPage(flags, configuration);
    return WebPage.of("/config", "Security", query -> page.view());
  }

  private View view() {
    return View.of(
        "Security",
        p(summary()).withClass("lead"),
        h2("Calls"),
        table("Calls", calls()),
        h2("Web pages"),
        table("Web pages", pages()),
        h2("Files and flags"),
        table("Files and flags", files()));
  }

  private String summary() {
    return configuration.bind().stream().allMatch(address -> isLoopback(address.host()))
        ? "Only programs on this machine reach the server. They may claim any user's name."
        : "Other machines reach the server. Nothing that it sends is encrypted, and a client on a"
            + " trusted subnet may claim any user's name: keep the ports behind a firewall.";
  }

  private static DomContent table(String caption, List<Protection> protections) {
    return DataTable.<Protection>of(caption)
        .dense()
        .text("Protection", Protection::name)
        .cell("State", Protection::state)
        .prose("What that means", Protection::meaning)
        .prose("In force", Protection::inForce)
        .id("Flag", protection -> text(protection.flag))
        .rows(protections);
  }

  private static String name(Option<?> option) {
    return "--" + option.name();
  }

  private List<Protection> calls() {
    return List.of(
        listening(),
        subnets(),
        new Protection(
            "Encryption",
            OFF,
            flags.get(RPC_ENCRYPTION),
            "Calls and their rows cross the network as clear text: this version has no TLS.",
            name(RPC_ENCRYPTION)),
        new Protection(
            "Proof of names",
            OFF,
            flags.get(RPC_AUTHENTICATION),
            "A client states its user name without proof: this version has no Kerberos and no"
                + " tokens.",
            name(RPC_AUTHENTICATION)),
        secret(),
        users("Users", security.users(), USER_ACL, "may use the cluster"),
        users("Superusers", security.superusers(), SUPERUSER_ACL, "may administer the cluster"),
        new Protection(
            "Rights on tables",
            OFF,
            "all users",
            "Each user may read, change and drop every table.",
            ""));
  }

  private Protection listening() {
    return listening(
        configuration.bind().stream().map(HostPort::toString).collect(Collectors.joining(", ")),
        configuration.bind().stream().allMatch(address -> isLoopback(address.host())),
        name(RPC_BIND_ADDRESSES));
  }

  private static Protection listening(String where, boolean loopback, String flag) {
    return new Protection(
        "Listening",
        loopback ? Badges.good("this machine") : Badges.passing("network"),
        where,
        loopback
            ? "Other machines cannot connect."
            : "Other machines can connect, as far as networks and firewalls let them.",
        flag);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private Protection subnets() {
    String named = flags.get(TRUSTED_SUBNETS);
    boolean everybody = named.contains("/0");
    return new Protection(
        "Trusted subnets",
        everybody ? Badges.bad("all") : Badges.good("limited"),
        (named.isBlank() ? "none" : named.replace(",", ", "))
            + (flags.isDefault(TRUSTED_SUBNETS) ? ", and those of this machine's interfaces" : ""),
        everybody
            ? "A client may connect from any address."
            : "A client from any other address is rejected.",
        name(TRUSTED_SUBNETS));
  }

  private Protection secret() {
    boolean proved = security.secret().isPresent();
    return new Protection(
        "Proof of servers",
        proved ? Badges.good("on") : OFF,
        proved ? flags.get(CLUSTER_SECRET_FILE) : "the name " + security.services(),
        proved
            ? "Servers prove to each other that they have the cluster's secret, on the RPC port and"
                + " on the Raft port."
            : "A client that claims this name passes for a server of the cluster. The Raft port"
                + " trusts the hosts of the servers.",
        name(CLUSTER_SECRET_FILE));
  }

  private static Protection users(String name, UserList list, Option<String> flag, String right) {
    boolean everybody = list.toString().equals(UserList.EVERYBODY.toString());
    return new Protection(
        name,
        everybody ? Badges.passing("everybody") : Badges.good("limited"),
        list.toString().replace(",", ", "),
        everybody ? "Every client " + right + "." : "Only clients with these names " + right + ".",
        name(flag));
  }

  private List<Protection> pages() {
    String host = configuration.webInterface();
    String shown = flags.get(REDACT);
    return List.of(
        listening(
            host.isEmpty() ? "all addresses" : host, isWebLocal(host), name(WEBSERVER_INTERFACE)),
        new Protection("Encryption", OFF, "HTTP", "Pages cross the network as clear text.", ""),
        new Protection(
            "Log-in",
            OFF,
            "none",
            "Anyone who can reach the port can read every page, including the log. Pages cannot"
                + " change anything.",
            ""),
        new Protection(
            "Redaction",
            shown.equals("all") ? Badges.good("on") : OFF,
            shown,
            shown.equals("all")
                ? "Pages show no cell of a row: no values of predicates, no defaults, no keys."
                : "Pages show values of predicates, defaults of columns and keys of rowsets.",
            name(REDACT)));
  }

  private static boolean isWebLocal(String host) {
    return !host.isEmpty() && isLoopback(host);
  }

  private List<Protection> files() {
    String umask = flags.get(UMASK);
    boolean owner = Integer.parseInt(umask, 8) % 0100 == 077;
    boolean unlocked = flags.get(UNLOCK_UNSAFE);
    boolean messages = flags.get(REDACT).equals("none");
    return List.of(
        new Protection(
            "Permissions",
            owner ? Badges.good("owner only") : Badges.passing("wider"),
            "umask " + umask,
            owner
                ? "Only the user that runs the server can read its files."
                : "Other users of the machine may be able to read its files.",
            name(UMASK)),
        new Protection(
            "Encryption", OFF, "clear text", "Anyone who reads the disks reads the rows.", ""),
        new Protection(
            "Redaction of messages",
            messages ? OFF : Badges.good("on"),
            flags.get(REDACT),
            messages
                ? "Errors of rows, which clients may log, have values of cells."
                : "Errors of rows name columns and have no values.",
            name(REDACT)),
        new Protection(
            "Unsafe flags",
            unlocked ? Badges.bad("unlocked") : Badges.good("locked"),
            Boolean.toString(unlocked),
            unlocked
                ? "Superusers can change flags that endanger data while the server runs."
                : "Flags that endanger data cannot be set or changed.",
            name(UNLOCK_UNSAFE)));
  }
}
