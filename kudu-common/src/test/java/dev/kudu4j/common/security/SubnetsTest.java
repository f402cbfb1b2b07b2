package dev.kudu4j.common.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubnetsTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "172.16.0.0/12, 172.31.255.255, true",
    "172.16.0.0/12, 172.32.0.0, false",
    "192.168.1.7/32, 192.168.1.7, true",
    "192.168.1.7/32, 192.168.1.6, false",
    "0.0.0.0/0, 8.8.8.8, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "fd00::/8, fdab::1, true",
    "fe80::/10, fe7f::1, false",
    "::1/128, ::1, true",
    "127.0.0.0/8, ::ffff:127.0.0.1, true"
  })
  void aBlockContainsTheAddressesWithItsPrefix(String block, String address, boolean inside)
      throws Exception {
    assertThat(Subnets.parse("trusted_subnets", block).contains(InetAddress.getByName(address)))
        .isEqualTo(inside);
  }

  @Test
  void severalBlocksAndNone() throws Exception {
    InetAddress address = InetAddress.getByName("10.1.2.3");
    assertThat(Subnets.parse("f", " 192.168.0.0/16 , 10.0.0.0/8").contains(address)).isTrue();
    assertThat(Subnets.parse("f", "").contains(address)).isFalse();
  }

  @Test
  void thisMachineIsInItsOwnSubnets() {
    assertThat(
            Subnets.parse("f", "").withLocalInterfaces().contains(InetAddress.getLoopbackAddress()))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "localhost/8", "/8", "::1/129", "x"})
  void anInvalidBlockIsRejectedWithFlagAndText(String text) {
    assertThatThrownBy(() -> Subnets.parse("trusted_subnets", text))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("--trusted_subnets")
        .hasMessageContaining("'" + text + "'");
  }
}
