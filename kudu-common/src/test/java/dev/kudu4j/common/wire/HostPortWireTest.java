package dev.kudu4j.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.status.KuduException;
import java.net.InetSocketAddress;
import java.util.Collections;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HostPortWireTest {
  @Example
  void acceptsNamesAndNumbers() {
    for (String host :
        new String[] {
          "a", "localhost", "ts-1.dc_2.example.org", "127.0.0.1", "::1", "[::1]", "fe80::1%eth0"
        }) {
      assertThat(HostPortWire.isHost(host)).as(host).isTrue();
      HostPortWire.require("addr", address(host, 1));
      HostPortWire.require("addr", address(host, 65_535));
    }
  }

  @Example
  void rejectsInvalidHosts() {
    for (String host :
        new String[] {
          "",
          " ",
          "a b",
          "-rf",
          "a; touch x",
          "$(x)",
          "a\nb",
          "a/b",
          "a,b",
          "a@b",
          "a[b",
          "é",
          "<b>",
          "a".repeat(256)
        }) {
      assertThat(HostPortWire.isHost(host)).as(host).isFalse();
      assertThatThrownBy(() -> HostPortWire.require("raft_addr", address(host, 7050)))
          .isInstanceOf(KuduException.class)
          .hasMessageStartingWith("raft_addr must contain a host name");
    }
  }

  @Example
  void rejectsInvalidPorts() {
    for (int port : new int[] {0, -1, 65_536, 99_999, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> HostPortWire.require("addr", address("a", port)))
          .isInstanceOf(KuduException.class)
          .hasMessage("addr must have a port from 1 to 65535, not " + port);
    }
  }

  @Example
  void limitsTheNumberOfAddresses() {
    assertThatThrownBy(
            () ->
                HostPortWire.requireAll(
                    "rpc_addresses", Collections.nCopies(10_000, address("a", 1))))
        .hasMessage("rpc_addresses contains 10000 addresses; the maximum is 64");
  }

  @Property(tries = 1000)
  void validAddressesCanBeConnectedAndLogged(@ForAll String host, @ForAll int port) {
    if (HostPortWire.isValid(host, port)) {
      assertThat(InetSocketAddress.createUnresolved(host, port).getPort()).isEqualTo(port);
    }
    if (HostPortWire.isHost(host)) {
      assertThat(host).matches("[!-~]{1,255}").doesNotContain(";", "$", "`", "/", "'", "\"", "<");
    }
  }

  private static HostPortPB address(String host, int port) {
    return HostPortPB.newBuilder().setHost(host).setPort(port).build();
  }
}
