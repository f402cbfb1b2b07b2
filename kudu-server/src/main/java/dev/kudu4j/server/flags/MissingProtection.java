package dev.kudu4j.server.flags;

import dev.kudu4j.common.status.KuduException;
import java.util.Map;
import java.util.Set;

/**
 * Flags of Apache Kudu that request a protection which this server does not implement. Such a flag
 * is an error: a server that ignored it would be open although its operator believes it is
 * protected.
 */
final class MissingProtection {
  /**
   * Flags that request a protection whatever their value is, because the value names something that
   * the protection needs, such as a file.
   */
  private static final Set<String> REQUESTED_BY_ANY_VALUE =
      Set.of(
          "keytab_file",
          "rpc_certificate_file",
          "rpc_private_key_file",
          "rpc_ca_certificate_file",
          "jwks_url",
          "jwks_file_path",
          "jwks_discovery_endpoint_base",
          "ranger_config_path",
          "ranger_kms_url",
          "encryption_cluster_key_name",
          "webserver_certificate_file",
          "webserver_private_key_file",
          "webserver_password_file",
          "spnego_keytab_file");

  private static final Set<String> REQUESTED_BY_TRUE =
      Set.of(
          "rpc_encrypt_loopback_connections",
          "enable_jwt_token_auth",
          "tserver_enforce_access_control",
          "encrypt_data_at_rest",
          "webserver_require_spnego");

  private MissingProtection() {}

  /**
   * @param given flags of Apache Kudu that this server does not have, with their values
   * @throws KuduException CONFIGURATION_ERROR if a flag requests a protection; the message names
   *     the flag
   */
  static void refuse(Map<String, String> given, Flags own) {
    given.forEach(
        (name, value) -> {
          boolean isTrue =
              !value.isBlank() && !Set.of("false", "0", "f", "no", "n").contains(value);
          if ((REQUESTED_BY_ANY_VALUE.contains(name) && !value.isBlank())
              || (REQUESTED_BY_TRUE.contains(name) && isTrue)) {
            throw missing(name, value);
          }
        });
    refuseRequired(own, SecurityOptions.RPC_AUTHENTICATION);
    refuseRequired(own, SecurityOptions.RPC_ENCRYPTION);
  }

  private static void refuseRequired(Flags own, Option<String> option) {
    boolean has = own.options().find(option.name()) != null;
    if (has && own.get(option).equals("required")) {
      throw missing(option.name(), "required");
    }
  }

  private static KuduException missing(String name, String value) {
    return KuduException.configuration(
        "Flag --%s=%s requests a protection that this server does not implement yet."
            + " Remove the flag, and restrict access with --trusted_subnets, --user_acl and"
            + " --cluster_secret_file",
        name, value);
  }
}
