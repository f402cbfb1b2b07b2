package dev.kudu4j.server.flags;

import static dev.kudu4j.server.flags.Tag.ADVANCED;
import static dev.kudu4j.server.flags.Tag.STABLE;

import java.util.List;

/**
 * The options of access control. An option that Apache Kudu also has carries the same name and
 * default.
 */
public final class SecurityOptions {
  public static final Option<String> RPC_AUTHENTICATION =
      Option.text("rpc_authentication")
          .defaultValue("optional")
          .choices("disabled", "optional", "required")
          .tags(STABLE)
          .describe(
              "Whether clients must authenticate. Authentication is not implemented yet:"
                  + " 'required' is an error.");

  public static final Option<String> RPC_ENCRYPTION =
      Option.text("rpc_encryption")
          .defaultValue("optional")
          .choices("disabled", "optional", "required")
          .tags(STABLE)
          .describe(
              "Whether connections must be encrypted. Encryption is not implemented yet:"
                  + " 'required' is an error.");

  public static final Option<String> TRUSTED_SUBNETS =
      Option.text("trusted_subnets")
          .defaultValue(
              "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,::1/128,fe80::/10,"
                  + "fd00::/8")
          .tags(ADVANCED)
          .describe(
              "Comma-separated subnets whose hosts may connect without encryption. The"
                  + " default also includes the subnets of the machine's network interfaces.");

  public static final Option<String> SUPERUSER_ACL =
      Option.text("superuser_acl")
          .tags(STABLE)
          .describe(
              "Comma-separated users that may administer the cluster; * for all users. If"
                  + " empty, only the user that runs the server.");

  public static final Option<String> USER_ACL =
      Option.text("user_acl")
          .defaultValue("*")
          .tags(STABLE)
          .describe("Comma-separated users that may use the cluster; * for all users.");

  public static final Option<String> CLUSTER_SECRET_FILE =
      Option.text("cluster_secret_file")
          .tags(STABLE)
          .describe(
              "File with the secret that all servers of the cluster share. If set, a peer"
                  + " must prove knowledge of the secret to be accepted as a server. If empty,"
                  + " connections of the user that runs this server are accepted as servers.");

  public static final Option<String> UMASK =
      Option.text("umask")
          .defaultValue("077")
          .tags(ADVANCED)
          .describe(
              "File mode creation mask of the server in octal digits: permissions that its"
                  + " files and directories do not get.");

  static final List<Option<?>> ALL =
      List.of(
          RPC_AUTHENTICATION,
          RPC_ENCRYPTION,
          TRUSTED_SUBNETS,
          SUPERUSER_ACL,
          USER_ACL,
          CLUSTER_SECRET_FILE,
          UMASK);

  private SecurityOptions() {}
}
