package dev.kudu4j.server.security;

import static dev.kudu4j.server.flags.SecurityOptions.CLUSTER_SECRET_FILE;
import static dev.kudu4j.server.flags.SecurityOptions.SUPERUSER_ACL;
import static dev.kudu4j.server.flags.SecurityOptions.TRUSTED_SUBNETS;
import static dev.kudu4j.server.flags.SecurityOptions.USER_ACL;

import dev.kudu4j.common.rpc.RpcSecurity;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.security.Subnets;
import dev.kudu4j.common.security.UserList;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the flags that define who may call a server. */
public final class ServerSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(ServerSecurity.class);

  private ServerSecurity() {}

  /**
   * Reads the flags and the secret's file.
   *
   * @throws KuduException if a flag or the file is invalid; the message is for the user
   */
  public static RpcSecurity of(Flags flags) {
    String processUser = System.getProperty("user.name");
    String superusers = flags.get(SUPERUSER_ACL);
    return new RpcSecurity(
        UserList.parse(USER_ACL.name(), flags.get(USER_ACL)),
        superusers.isBlank()
            ? UserList.of(processUser)
            : UserList.parse(SUPERUSER_ACL.name(), superusers),
        UserList.of(processUser),
        trusted(flags)::contains,
        secret(flags.get(CLUSTER_SECRET_FILE)));
  }

  private static Subnets trusted(Flags flags) {
    Subnets named = Subnets.parse(TRUSTED_SUBNETS.name(), flags.get(TRUSTED_SUBNETS));
    return flags.isDefault(TRUSTED_SUBNETS) ? named.withLocalInterfaces() : named;
  }

  private static Optional<ClusterSecret> secret(String file) {
    if (file.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ClusterSecret.read(Path.of(file)));
    } catch (IOException e) {
      throw KuduException.configuration("Cannot read the cluster secret %s: %s", file, e);
    }
  }

  /** Warns if other machines can reach the server, because nothing is encrypted. */
  public static void warnIfExposed(List<HostPort> bound, RpcSecurity security) {
    for (HostPort address : bound) {
      InetAddress ip = address.resolve().getAddress();
      if (!ip.isLoopbackAddress()) {
        LOG.warn(
            "Listening on {}, which other machines reach, without encryption and without proof"
                + " of users' names: a client on a trusted subnet may claim any name,"
                + " superusers included. Limit --trusted_subnets, and keep the port behind a"
                + " firewall.{}",
            address,
            security.secret().isPresent()
                ? ""
                : " Without --cluster_secret_file a client may also claim to be a server.");
      }
    }
  }
}
