#include "support/test_certificate.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace openenv {
namespace test {

namespace {

template <class T, void (*Free)(T*)>
struct Freer {
    void operator()(T* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509, X509_free>>;
using Text = std::unique_ptr<BIO, Freer<BIO, BIO_free_all>>;

void must(bool good) {
    if (!good) {
        throw std::runtime_error("making a certificate failed");
    }
}

std::string text_of(BIO* bio) {
    std::string text(BIO_pending(bio) > 0 ? static_cast<std::size_t>(BIO_pending(bio)) : 0U, '\0');
    must(BIO_read(bio, text.data(), static_cast<int>(text.size())) > 0);
    return text;
}

}  // namespace

TestCertificate::TestCertificate(const std::string& host, Valid valid) {
    const Key pair(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
    must(pair != nullptr);
    const Certificate made(X509_new());
    must(X509_set_version(made.get(), 2) == 1);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    constexpr long kDay = 24 * 3600;
    const long end = valid == Valid::for_a_day ? kDay : -kDay;
    X509_gmtime_adj(X509_getm_notBefore(made.get()), end - 2 * kDay);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), end);
    must(X509_set_pubkey(made.get(), pair.get()) == 1);
    X509_NAME* name = X509_get_subject_name(made.get());
    const auto* common = reinterpret_cast<const unsigned char*>(host.data());
    must(
        X509_NAME_add_entry_by_txt(
            name, "CN", MBSTRING_UTF8, common, static_cast<int>(host.size()), -1, 0
        ) == 1
    );
    must(X509_set_issuer_name(made.get(), name) == 1);
    const bool address = host.find_first_not_of("0123456789.") == std::string::npos;
    const std::string names = (address ? "IP:" : "DNS:") + host;
    X509_EXTENSION* extension =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    must(extension != nullptr);
    must(X509_add_ext(made.get(), extension, -1) == 1);
    X509_EXTENSION_free(extension);
    must(X509_sign(made.get(), pair.get(), EVP_sha256()) > 0);

    const Text key_text(BIO_new(BIO_s_mem()));
    must(
        PEM_write_bio_PrivateKey(
            key_text.get(), pair.get(), nullptr, nullptr, 0, nullptr, nullptr
        ) == 1
    );
    key = text_of(key_text.get());
    const Text certificate_text(BIO_new(BIO_s_mem()));
    must(PEM_write_bio_X509(certificate_text.get(), made.get()) == 1);
    certificate = text_of(certificate_text.get());
}

}  // namespace test
}  // namespace openenv
