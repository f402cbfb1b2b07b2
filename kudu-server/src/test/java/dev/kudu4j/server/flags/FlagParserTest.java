package dev.kudu4j.server.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlagParserTest {
  private static Flags parse(String... arguments) {
    return FlagParser.parse(ServerOptions.tabletServer(), List.of(arguments));
  }

  @Test
  void allFormsOfAValueAreTheSame() {
    for (String[] form :
        new String[][] {
          {"--webserver_port=17"},
          {"-webserver_port=17"},
          {"--webserver-port=17"},
          {"--webserver_port", "17"},
          {"-webserver-port", "17"},
          {"--webserver_port=1", "--webserver-port=17"}
        }) {
      assertThat(parse(form).get(ServerOptions.WEBSERVER_PORT)).as(form[0]).isEqualTo(17);
    }
  }

  @Test
  void booleansNeedNoValue() {
    assertThat(parse("--log_force_fsync_all").get(ServerOptions.FSYNC_LOG)).isTrue();
    assertThat(parse("--log_force_fsync_all=false").get(ServerOptions.FSYNC_LOG)).isFalse();
    assertThat(parse("--nowebserver_enabled").get(ServerOptions.WEBSERVER_ENABLED)).isFalse();
    assertThat(parse("--log_force_fsync_all", "--webserver_port=3").get(ServerOptions.FSYNC_LOG))
        .isTrue();
  }

  @Test
  void flagOfApacheKuduIsAcceptedWithAWarning() {
    Flags flags =
        parse(
            "--log_container_max_size=7",
            "--maintenance_manager_num_threads",
            "3",
            "--nologtostderr");
    assertThat(flags.warnings()).hasSize(3);
    assertThat(flags.warnings().get(0)).contains("--log_container_max_size").contains("ignored");
  }

  @Test
  void unknownFlagNamesTheNearest() {
    assertThatThrownBy(() -> parse("--fs_waldir=/tmp"))
        .isInstanceOf(KuduException.class)
        .hasMessage("Unknown flag --fs_waldir; did you mean --fs_wal_dir?");
    assertThatThrownBy(() -> parse("--zzzzzzzzzzzzzzzzzz=1"))
        .hasMessage("Unknown flag --zzzzzzzzzzzzzzzzzz");
    assertThatThrownBy(() -> parse("something")).hasMessageContaining("is not a flag");
    assertThatThrownBy(() -> parse("--fs_wal_dir")).hasMessageContaining("needs a value");
  }

  @Test
  void valuesAreChecked() {
    assertThatThrownBy(() -> parse("--webserver_port=seven"))
        .hasMessage("Flag --webserver_port must be a 32-bit integer, not 'seven'");
    assertThatThrownBy(() -> parse("--webserver_port=70000"))
        .hasMessage("Flag --webserver_port must be 0 to 65535, not '70000'");
    assertThatThrownBy(() -> parse("--time_source=sundial")).hasMessageContaining("one of system");
  }

  @Test
  void flagFilesApplyAtTheirPosition(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("flags");
    Files.writeString(
        file, "# comment\n\n--webserver_port=5\n-fs-wal-dir=/a b\nscanner_ttl_ms=9\n");
    Flags flags = parse("--webserver_port=1", "--flagfile=" + file, "--scanner_ttl_ms=10");
    assertThat(flags.get(ServerOptions.WEBSERVER_PORT)).isEqualTo(5);
    assertThat(flags.get(ServerOptions.FS_WAL_DIR)).isEqualTo("/a b");
    assertThat(flags.get(ServerOptions.SCANNER_TTL)).isEqualTo(10);
    assertThatThrownBy(() -> parse("--flagfile=" + directory.resolve("missing")))
        .hasMessageContaining("Cannot read the flag file");
    Files.writeString(file, "--flagfile=" + file);
    assertThatThrownBy(() -> parse("--flagfile=" + file)).hasMessageContaining("deep");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rpc_authentication=required",
        "--rpc_encryption=required",
        "--keytab_file=/etc/kudu.keytab",
        "--rpc-certificate-file=/etc/kudu.crt",
        "--tserver_enforce_access_control",
        "--encrypt_data_at_rest=true",
        "--webserver_require_spnego",
        "--webserver_password_file=/etc/passwords",
        "--enable_jwt_token_auth",
        "--ranger_config_path=/etc/ranger"
      })
  void flagsOfMissingProtectionsAreErrors(String flag) {
    assertThatThrownBy(() -> parse(flag))
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.CONFIGURATION_ERROR))
        .hasMessageContaining(flag.replace('-', '_').substring(2))
        .hasMessageContaining("does not implement yet");
  }

  @Test
  void flagsThatDisableAProtectionAreAccepted() {
    parse(
        "--rpc_authentication=required",
        "--rpc_authentication=disabled",
        "--keytab_file=",
        "--notserver_enforce_access_control",
        "--encrypt_data_at_rest=false");
  }

  @Test
  void unsafeFlagsAreLockedUnlessTheStartUnlocksThem() {
    assertThatThrownBy(() -> parse("--clock_offset_usec=1"))
        .hasMessage(
            "Flag --clock_offset_usec is unsafe and unsupported. Use --unlock_unsafe_flags to"
                + " proceed at your own risk");
    assertThat(
            parse("--clock_offset_usec=1", "--unlock_unsafe_flags").get(ServerOptions.CLOCK_OFFSET))
        .isEqualTo(1L);
    Flags flags = parse();
    for (boolean force : new boolean[] {false, true}) {
      assertThatThrownBy(() -> flags.change("clock_offset_usec", "315360000000000", force))
          .isInstanceOf(KuduException.class);
      assertThatThrownBy(() -> flags.change("clock-offset-usec", "1", force))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE))
          .hasMessageContaining("is unsafe and unsupported");
      assertThatThrownBy(() -> flags.change("unlock_unsafe_flags", "true", force))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE));
    }
    assertThat(flags.get(ServerOptions.CLOCK_OFFSET)).isZero();
    Flags unlocked = parse("--unlock_unsafe_flags");
    unlocked.change("clock_offset_usec", "1000", false);
    assertThatThrownBy(() -> unlocked.change("clock_offset_usec", "315360000000000", true))
        .hasMessageContaining("must be -600000000 to 600000000");
  }

  @Test
  void onlyRuntimeOptionsChangeWhileRunning() {
    Flags flags = parse();
    assertThat(flags.change("scanner-ttl-ms", "5", false)).isEqualTo("60000");
    assertThat(flags.supplier(ServerOptions.SCANNER_TTL).get()).isEqualTo(5);
    assertThat(flags.isDefault(ServerOptions.SCANNER_TTL)).isFalse();
    assertThatThrownBy(() -> flags.change("fs_wal_dir", "/x", false))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ILLEGAL_STATE));
    assertThatThrownBy(() -> flags.change("nothing", "/x", false))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND));
  }

  @Test
  void hiddenFlagsAreAcceptedAndNotInTheHelp() {
    OptionSet options = ServerOptions.tabletServer();
    assertThat(options.find("scanner_inject_latency_on_each_batch_ms")).isNotNull();
    assertThat(options.help()).contains("--scanner_ttl_ms").doesNotContain("inject");
    assertThatThrownBy(() -> parse("--rpc_negotiation_inject_delay_ms=1"))
        .hasMessageContaining("unsafe");
  }

  @Test
  void daemonsDifferInDefaults() {
    Flags master = Flags.defaults(ServerOptions.master());
    assertThat(master.get(ServerOptions.RPC_BIND_ADDRESSES)).isEqualTo("127.0.0.1:7051");
    assertThat(master.get(ServerOptions.WEBSERVER_PORT)).isEqualTo(8051);
    assertThat(parse().get(ServerOptions.RPC_BIND_ADDRESSES)).isEqualTo("127.0.0.1:7050");
  }

  @Test
  void namesAndDefaultsStay() {
    assertThat(
            ServerOptions.tabletServer().all().stream()
                .map(option -> option.name() + "=" + option.defaultValue()))
        .containsExactly(
            "apply_duration_too_long_ms=500",
            "block_cache_capacity_mb=0",
            "clock_offset_usec=0",
            "cluster_secret_file=",
            "flagfile=",
            "follower_unavailable_considered_failed_sec=300",
            "fs_data_dirs=",
            "fs_low_disk_space_warning_percentage=10",
            "fs_wal_dir=",
            "heartbeat_interval_ms=1000",
            "help=false",
            "leader_failure_exp_backoff_max_delta_ms=20000",
            "leader_failure_max_missed_heartbeat_periods=3.0",
            "log_append_duration_too_long_ms=500",
            "log_dir=",
            "log_force_fsync_all=false",
            "log_max_segments_to_retain=80",
            "max_clock_sync_error_usec=10000000",
            "memory_limit_hard_bytes=0",
            "memory_limit_soft_percentage=80",
            "num_reactor_threads=0",
            "raft_heartbeat_interval_ms=500",
            "raft_prepare_replacement_before_eviction=true",
            "raft_transport=kudu",
            "redact=all",
            "rpc_advertised_addresses=",
            "rpc_authentication=optional",
            "rpc_bind_addresses=127.0.0.1:7050",
            "rpc_duration_too_long_ms=1000",
            "rpc_encryption=optional",
            "rpc_inbound_memory_mb=0",
            "rpc_io=auto",
            "rpc_listen_on_unix_domain_socket=true",
            "rpc_max_connections=0",
            "rpc_max_connections_per_address=0",
            "rpc_max_message_size=52428800",
            "rpc_negotiation_inject_delay_ms=0",
            "rpc_num_service_threads=20",
            "rpc_service_queue_length=50",
            "rpc_thread_model=adaptive",
            "scanner_default_batch_size_bytes=1048576",
            "scanner_inject_latency_on_each_batch_ms=0",
            "scanner_inject_service_unavailable_on_continue_scan=false",
            "scanner_max_batch_size_bytes=8388608",
            "scanner_read_ahead=true",
            "scanner_ttl_ms=60000",
            "superuser_acl=",
            "system_clock_error_usec=100000",
            "time_source=system",
            "trusted_subnets=127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,"
                + "::1/128,fe80::/10,fd00::/8",
            "tserver_master_addrs=127.0.0.1:7051",
            "umask=077",
            "unlock_experimental_flags=false",
            "unlock_unsafe_flags=false",
            "user_acl=*",
            "version=false",
            "webserver_enabled=true",
            "webserver_interface=127.0.0.1",
            "webserver_max_connections=0",
            "webserver_num_worker_threads=50",
            "webserver_port=8050");
  }
}
